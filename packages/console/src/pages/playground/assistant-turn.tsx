import { RotateCw } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '../../parts/button.tsx'
import { AnswerFacts } from './answer-facts.tsx'
import { isEmpty } from './answer.ts'
import { ApiProblem } from './api-problem.tsx'
import { ChoiceView } from './choice-view.tsx'
import type { AssistantTurn } from './conversation.ts'
import type { Conversation } from './use-conversation.ts'
import type { View } from './view.ts'

const LONG_SECONDS = 4

interface AssistantTurnProps {
  turn: AssistantTurn
  conversation: Conversation
  view: View
  isLast: boolean
}

export function AssistantTurnView({ turn, conversation, view, isLast }: AssistantTurnProps) {
  const { answer, state, failure } = turn
  const isRunning = state === 'running'
  const isWaiting = isRunning && isEmpty(answer)
  return (
    <article className="turn turn-assistant" aria-label="Response" aria-busy={isRunning}>
      {isWaiting ? <WaitingForText since={answer.startedAt} /> : <Choices {...{ turn, conversation, view, isLast }} />}
      {failure && <ApiProblem failure={failure} />}
      {state === 'stopped' && <p className="small soft">Stopped.</p>}
      <footer className="turn-foot">
        <AnswerFacts answer={answer} />
        {isLast && !isRunning && (
          <Button kind="quiet" size="small" icon={RotateCw} onClick={conversation.retry}>
            Retry
          </Button>
        )}
      </footer>
    </article>
  )
}

/** Shows the elapsed time if it takes long: a device may be loading the model, or no device may be serving it. */
function WaitingForText({ since }: { since: number }) {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setSeconds(Math.floor((performance.now() - since) / 1000)), 1000)
    return () => clearInterval(timer)
  }, [since])
  return (
    <div className="row">
      <span className="dots" aria-hidden>
        <span />
        <span />
        <span />
      </span>
      {seconds >= LONG_SECONDS && <span className="small soft numbers">Waiting for a device… {seconds} s</span>}
    </div>
  )
}

function Choices({ turn, conversation, view, isLast }: AssistantTurnProps) {
  const { answer, state, chosen } = turn
  const shown = { view, isJson: answer.isJson, isRunning: state === 'running' }
  const [only] = answer.choices
  if (answer.choices.length === 1 && only) return <ChoiceView choice={only} {...shown} />
  return (
    <div className="answer-choices">
      {answer.choices.map((choice, index) => (
        <section key={index} className="answer-choice card" aria-label={`Choice ${index + 1}`}>
          <header className="answer-choice-head">
            <h2>Choice {index + 1}</h2>
            <label className="row small">
              <input
                type="radio"
                name={`choice-${turn.id}`}
                checked={index === chosen}
                disabled={!isLast}
                onChange={() => conversation.choose(turn.id, index)}
              />
              Continue with this one
            </label>
          </header>
          <ChoiceView choice={choice} {...shown} />
        </section>
      ))}
    </div>
  )
}
