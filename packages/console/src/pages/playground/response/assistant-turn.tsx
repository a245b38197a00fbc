import { ArrowRight, RotateCw } from 'lucide-react'
import { Button } from '../../../parts/control/button.tsx'
import { Name } from '../../../parts/text/name.tsx'
import { isEmpty, stalledMs, type Answer } from '../request/answer.ts'
import { ChoiceEnd, ChoiceView } from './choice-view.tsx'
import type { AssistantTurn } from '../conversation/turn.ts'
import type { View } from './view.ts'
import { Stalled, WaitingForText } from './waiting-for-text.tsx'
import { useRead } from '../../../session/use-read.ts'
import { TakeOverNote } from './take-over-note.tsx'
import { ApiProblem } from './api-problem.tsx'
import { factsOf, formatDuration } from './answer-facts.ts'

interface AssistantTurnProps {
  turn: AssistantTurn
  view: View
  isLast: boolean
  mayRetry: boolean
  onRetry: () => void
  onContinue: () => void
  onChoose: (choice: number) => void
}

export function AssistantTurnView(props: AssistantTurnProps) {
  const { turn, view, isLast, mayRetry, onRetry, onContinue, onChoose } = props
  const { answer, state, failure, model } = turn
  const isRunning = state === 'running'
  const isWaiting = isRunning && isEmpty(answer)
  const only = answer.choices.length === 1 ? answer.choices[0] : undefined
  return (
    <article className="turn min-w-0 grid gap-6" aria-label="Response" aria-busy={isRunning}>
      <p className="text-small text-soft flex min-w-0">
        <Name text={model} isCut />
      </p>
      {isWaiting ? (
        <WaitingForText model={model} since={answer.startedAt} />
      ) : (
        <Choices {...{ turn, view, isLast, onChoose }} />
      )}
      {isRunning && !isWaiting && answer.lastAt !== null && (
        <Stalled model={model} since={answer.lastAt} device={answer.device} />
      )}
      {failure && <ApiProblem failure={failure} />}
      {state === 'stopped' && <Stopped answer={answer} />}
      {!isRunning && answer.request !== null && <TakeOverNote model={model} request={answer.request} />}
      <footer className="turn-foot flex flex-wrap items-center justify-between gap-x-10 gap-y-2.5">
        <dl className="text-small flex flex-wrap gap-x-11 gap-y-1.5 text-soft">
          {factsOf(answer).map(
            ([name, value]) =>
              value !== undefined && (
                <div className="flex gap-4" key={name}>
                  <dt className="text-faint">{name}</dt>
                  <dd className="tabular-nums">{value}</dd>
                </div>
              ),
          )}
        </dl>
        <div className="row gap-1.5 ms-auto [&>.text-small]:me-3.5">
          {only && <ChoiceEnd choice={only} isRunning={isRunning} />}
          {mayRetry && isLast && mayContinue(turn) && (
            <Button {...ACTION} icon={ArrowRight} aria-label="Continue" word="Continue" onClick={onContinue} />
          )}
          {mayRetry && <Button {...ACTION} icon={RotateCw} aria-label="Retry" word="Retry" onClick={onRetry} />}
        </div>
      </footer>
    </article>
  )
}

const ACTION = { kind: 'quiet', size: 'small', className: 'turn-action' } as const

/** A response with text that ended too early: it was stopped, failed, or reached its token limit. */
function mayContinue({ state, answer, chosen }: AssistantTurn): boolean {
  return !isEmpty(answer) && (state !== 'done' || answer.choices[chosen]?.finish === 'length')
}

/** With the reason, if somebody stopped because nothing came. */
function Stopped({ answer }: { answer: Answer }) {
  const { data } = useRead('/devices')
  const ms = stalledMs(answer)
  const device = data?.devices.find(({ id }) => id === answer.device)
  return (
    <p className="text-small text-soft">
      Stopped{ms !== undefined && ` after ${formatDuration(ms)} without new text`}
      {ms !== undefined && device && (
        <>
          {' '}
          from <Name text={device.name} />
        </>
      )}
      .
    </p>
  )
}

type ChoicesProps = Pick<AssistantTurnProps, 'turn' | 'view' | 'isLast' | 'onChoose'>

function Choices({ turn, view, isLast, onChoose }: ChoicesProps) {
  const { answer, state, chosen } = turn
  const shown = { view, isJson: answer.isJson, isRunning: state === 'running' }
  const [only] = answer.choices
  if (answer.choices.length === 1 && only) return <ChoiceView id={`${turn.id}.0`} choice={only} {...shown} />
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(min(17rem,100%),1fr))] gap-10 items-start">
      {answer.choices.map((choice, index) => (
        <section key={index} className="card grid gap-7.5 min-w-0 p-10" aria-label={`Choice ${index + 1}`}>
          <header className="flex flex-wrap items-center justify-between gap-x-10 gap-y-2.5">
            <h2>Choice {index + 1}</h2>
            <label className="row text-small">
              <input
                className="m-0"
                type="radio"
                name={`choice-${turn.id}`}
                checked={index === chosen}
                disabled={!isLast}
                onChange={() => onChoose(index)}
              />
              Continue with this one
            </label>
          </header>
          <ChoiceView id={`${turn.id}.${index}`} choice={choice} {...shown} />
          <div className="row">
            <ChoiceEnd choice={choice} isRunning={shown.isRunning} />
          </div>
        </section>
      ))}
    </div>
  )
}
