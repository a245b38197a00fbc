import { RotateCw } from 'lucide-react'
import { Button } from '../../../parts/control/button.tsx'
import { Name } from '../../../parts/text/name.tsx'
import { AnswerFacts } from './answer-facts.tsx'
import { isEmpty } from '../request/answer.ts'
import { ApiProblem } from './api-problem.tsx'
import { ChoiceEnd, ChoiceView } from './choice-view.tsx'
import type { AssistantTurn } from '../conversation/conversation.ts'
import { TakeOverNote } from './take-over-note.tsx'
import type { View } from './view.ts'
import { WaitingForText } from './waiting-for-text.tsx'

interface AssistantTurnProps {
  turn: AssistantTurn
  view: View
  isLast: boolean
  mayRetry: boolean
  onRetry: () => void
  onChoose: (choice: number) => void
}

export function AssistantTurnView({ turn, view, isLast, mayRetry, onRetry, onChoose }: AssistantTurnProps) {
  const { answer, state, failure, model } = turn
  const isRunning = state === 'running'
  const isWaiting = isRunning && isEmpty(answer)
  const only = answer.choices.length === 1 ? answer.choices[0] : undefined
  return (
    <article className="turn turn-assistant" aria-label="Response" aria-busy={isRunning}>
      <p className="turn-model small soft">
        <Name text={model} isCut />
      </p>
      {isWaiting ? (
        <WaitingForText model={model} since={answer.startedAt} />
      ) : (
        <Choices {...{ turn, view, isLast, onChoose }} />
      )}
      {failure && <ApiProblem failure={failure} />}
      {state === 'stopped' && <p className="small soft">Stopped.</p>}
      {state === 'done' && answer.request !== null && <TakeOverNote model={model} request={answer.request} />}
      <footer className="turn-foot">
        <AnswerFacts answer={answer} />
        <div className="row turn-end">
          {only && <ChoiceEnd choice={only} />}
          {mayRetry && (
            <Button
              kind="quiet"
              size="small"
              icon={RotateCw}
              className="turn-action"
              aria-label="Retry"
              word="Retry"
              onClick={onRetry}
            />
          )}
        </div>
      </footer>
    </article>
  )
}

type ChoicesProps = Pick<AssistantTurnProps, 'turn' | 'view' | 'isLast' | 'onChoose'>

function Choices({ turn, view, isLast, onChoose }: ChoicesProps) {
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
                onChange={() => onChoose(index)}
              />
              Continue with this one
            </label>
          </header>
          <ChoiceView choice={choice} {...shown} />
          <div className="row">
            <ChoiceEnd choice={choice} />
          </div>
        </section>
      ))}
    </div>
  )
}
