// The effects that the account expects of a message from a device. Call `before`, then let the gateway hear it, then call `after`.

import type { DeviceFrame } from '@hearth/protocol'
import { estimateTokens } from '@hearth/chat'
import type { JobFrame } from '../../terms/job-frame.ts'
import { demand, Violation } from '../violation.ts'
import type { Account } from './account.ts'
import type { KnownAttempt } from './known-job.ts'

type FrameOf<Type extends DeviceFrame['type']> = Extract<DeviceFrame, { type: Type }>

export function before(account: Account, attempt: KnownAttempt, frame: JobFrame): void {
  switch (frame.type) {
    case 'job-accept':
      return account.sign(attempt)
    case 'job-progress':
      return progress(account, attempt, frame)
    case 'job-delta':
      return event(account, attempt, frame, frame.text)
    case 'job-sealed':
      return event(account, attempt, frame, frame.box)
    case 'job-end':
      return end(account, attempt, frame)
    case 'job-error':
      return fail(account, attempt, frame)
    case 'job-refuse':
      return refuse(account, attempt, frame)
    case 'job-cancelled':
      account.free(attempt)
      return account.lose(attempt)
    case 'job-hand-over':
      account.handsOver = attempt.job.holds(attempt) ? attempt : undefined
      return
    case 'job-calls':
    case 'job-annotations':
      return
    default:
      frame satisfies never
  }
}

export function after(account: Account, attempt: KnownAttempt, { type }: JobFrame): void {
  const { job } = attempt
  const { job: id } = job.ticket
  if (account.due !== undefined) throw new Violation(`"${account.due}" was due for ${id} and is dropped`)
  if (attempt.isEnded && !job.isFinished) throw new Violation(`${id} continues after its end`)
  if (attempt.isFaulty && job.holds(attempt)) throw new Violation(`${id} continues with an event missing`)
  if (type === 'job-hand-over') checkHandOver(account)
  account.settled()
}

function event(
  account: Account,
  attempt: KnownAttempt,
  { sequence, tokens }: Pick<FrameOf<'job-delta'>, 'sequence' | 'tokens'>,
  text: string,
): void {
  const { job } = attempt
  if (!job.holds(attempt)) return
  if (sequence >= job.received) account.sign(attempt)
  attempt.isFaulty ||= sequence > job.received
  if (job.takes(attempt, sequence, tokens ?? estimateTokens(text.length))) account.due = text
}

function progress(account: Account, attempt: KnownAttempt, { phase, total }: FrameOf<'job-progress'>): void {
  account.sign(attempt)
  attempt.isLoading = phase === 'loading'
  if (phase === 'prompt' && total !== undefined) attempt.promptTokens = total
}

function end(account: Account, attempt: KnownAttempt, { sequence, usage }: FrameOf<'job-end'>): void {
  const { job } = attempt
  const isDue = job.holds(attempt) && sequence === job.received
  account.sign(attempt)
  account.free(attempt)
  if (!isDue) return account.lose(attempt)
  job.allowed.push('ended')
  attempt.isEnded = true
  attempt.isLoading = false
  attempt.served.trusted()
  if (usage) attempt.endTokens = { prompt: usage.promptTokens, completion: usage.completionTokens }
}

function fail(
  account: Account,
  attempt: KnownAttempt,
  { retryable, crashed, code, message }: FrameOf<'job-error'>,
): void {
  const { job } = attempt
  account.sign(attempt)
  account.free(attempt)
  if (job.holds(attempt)) job.failed({ retryable, crashed, error: { code, message } })
  if (attempt.isLoading && retryable && !crashed && job.holds(attempt)) loadFailed(account, attempt)
  else account.lose(attempt, true)
}

function loadFailed(account: Account, attempt: KnownAttempt): void {
  attempt.served.refused(account.now)
  attempt.job.putBack(attempt)
  attempt.job.failedOn.push(attempt.reporter.device)
  account.shaken.push(attempt.job)
}

function refuse(account: Account, attempt: KnownAttempt, { reason }: FrameOf<'job-refuse'>): void {
  account.free(attempt)
  if (attempt.isAccepted) account.lose(attempt)
  else if (attempt.job.holds(attempt)) account.putBack(attempt, reason)
}

/** The job either stays or is offered to another device at once. */
function checkHandOver(account: Account): void {
  const attempt = account.handsOver
  account.handsOver = undefined
  if (attempt === undefined || attempt.job.holds(attempt)) return
  const { ticket, tries } = attempt.job
  const next = tries.some(({ device }) => device !== attempt.device)
  demand(next, () => `${ticket.job} was handed over to nobody, or to the device that has it`)
}
