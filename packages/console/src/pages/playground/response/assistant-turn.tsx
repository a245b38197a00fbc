import { ArrowRight, RotateCw, CircleAlert, type LucideIcon } from 'lucide-react'
import { Button } from '../../../parts/control/button.tsx'
import { Name } from '../../../parts/text/name.tsx'
import { isEmpty, speedOf, stalledMs, type Answer } from '../request/answer.ts'
import { ChoiceEnd, ChoiceView } from './choice-view.tsx'
import type { AssistantTurn, Failure } from '../conversation/conversation.ts'
import type { View } from './view.ts'
import { Stalled, WaitingForText } from './waiting-for-text.tsx'
import { formatCount, formatSpeed } from '../../../lib/format.ts'
import { devices as devicesQuery } from '../../../api/queries/devices.ts'
import { recentRequest } from '../../../api/queries/requests.ts'
import { TakeOver } from '../../../parts/model/take-over.tsx'
import { useSession } from '../../../session/session.ts'
import { useRead } from '../../../session/use-read.ts'

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
    <article className="turn turn-assistant" aria-label="Response" aria-busy={isRunning}>
      <p className="turn-model small soft">
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
      <footer className="turn-foot">
        <AnswerFacts answer={answer} />
        <div className="row turn-end">
          {only && <ChoiceEnd choice={only} isRunning={isRunning} />}
          {mayRetry && isLast && mayContinue(turn) && <Action icon={ArrowRight} word="Continue" onClick={onContinue} />}
          {mayRetry && <Action icon={RotateCw} word="Retry" onClick={onRetry} />}
        </div>
      </footer>
    </article>
  )
}

interface ActionProps {
  icon: LucideIcon
  word: string
  onClick: () => void
}

function Action({ icon, word, onClick }: ActionProps) {
  return <Button kind="quiet" size="small" className="turn-action" aria-label={word} {...{ icon, word, onClick }} />
}

/** A response with text that ended too early: it was stopped, failed, or reached its token limit. */
function mayContinue({ state, answer, chosen }: AssistantTurn): boolean {
  return !isEmpty(answer) && (state !== 'done' || answer.choices[chosen]?.finish === 'length')
}

/** With the reason, if somebody stopped because nothing came. */
function Stopped({ answer }: { answer: Answer }) {
  const { data } = useRead(devicesQuery)
  const ms = stalledMs(answer)
  const device = data?.find(({ id }) => id === answer.device)
  return (
    <p className="small soft">
      Stopped{ms !== undefined && ` after ${formatSeconds(ms)} without new text`}
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
            <ChoiceEnd choice={choice} isRunning={shown.isRunning} />
          </div>
        </section>
      ))}
    </div>
  )
}

/** Timing and token usage of a response. */
function AnswerFacts({ answer }: { answer: Answer }) {
  return (
    <dl className="answer-facts small">
      {factsOf(answer).map(
        ([name, value]) =>
          value !== undefined && (
            <div key={name}>
              <dt>{name}</dt>
              <dd className="numbers">{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

export function factsOf(answer: Answer): [name: string, value: string | undefined][] {
  const { startedAt, firstAt, endedAt, usage } = answer
  const speed = speedOf(answer)
  return [
    ['Time to first token', firstAt === null ? undefined : formatSeconds(firstAt - startedAt)],
    ['Speed', speed === null ? undefined : `${formatSpeed(speed)} tokens/s`],
    ['Total', endedAt === null ? undefined : formatSeconds(endedAt - startedAt)],
    ['Tokens', usage === null ? undefined : tokensOf(usage)],
  ]
}

function tokensOf({ prompt_tokens: prompt, completion_tokens: completion, ...details }: NonNullable<Answer['usage']>) {
  const cached = details.prompt_tokens_details?.cached_tokens
  const reasoning = details.completion_tokens_details?.reasoning_tokens
  const ofPrompt = cached ? ` (${formatCount(cached)} cached)` : ''
  const ofCompletion = reasoning ? ` (${formatCount(reasoning)} reasoning)` : ''
  return `${formatCount(prompt)} in${ofPrompt}, ${formatCount(completion)} out${ofCompletion}`
}

function formatSeconds(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`
}

/** An error with the fields that the API returned. */
function ApiProblem({ failure: { message, code, param, status } }: { failure: Failure }) {
  return (
    <div className="problem" role="alert">
      <CircleAlert size={16} aria-hidden />
      <div className="stack-small">
        <p className="api-message">{message}</p>
        <p className="row small">
          {status >= 400 && (
            <span>
              status <code>{status}</code>
            </span>
          )}
          <span>
            code <code>{code}</code>
          </span>
          {param !== null && (
            <span>
              param <code>{param}</code>
            </span>
          )}
        </p>
      </div>
    </div>
  )
}

/** Says so if another device continued the response. The headers come before the text, so only the list of requests knows. */
function TakeOverNote({ model, request }: { model: string; request: string }) {
  const { me } = useSession()
  const { data } = useRead(recentRequest, { model, key: `playground-${me.person.id}` }, request)
  if (!data?.device || !data.takeOver) return null
  return (
    <p className="small soft" role="status">
      <TakeOver device={data.device.name} takeOver={data.takeOver} />
    </p>
  )
}
