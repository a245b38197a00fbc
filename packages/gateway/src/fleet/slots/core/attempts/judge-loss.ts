// Decides whether a job gets another attempt after one was lost.

import type { Failure, Outcome } from '@hearth/chat'
import { hasDelivered, type Held } from '../state/state.ts'
import type { ModelFile } from '../../../terms/job.ts'
import type { SchedulerLimits } from '../types.ts'

/** The device could not open a sealed request. */
const SEAL_REJECTED = 'seal_rejected'

export type Loss =
  /** The link was lost, or the device broke the protocol. */
  | { kind: 'lost' }
  /** The device didn't answer the offer. */
  | { kind: 'unanswered' }
  | { kind: 'failed'; failure: Failure }
  | { kind: 'silent'; limit: 'first-event' | 'gap' }

/** Counts the loss. Returns the outcome if the job ends with it, or undefined if the job may be tried again or continued. */
export function judgeLoss(
  held: Held,
  loss: Loss,
  begun: ModelFile | undefined,
  limits: SchedulerLimits,
): Outcome | undefined {
  const { job } = held.lease
  const hasCrashed = loss.kind === 'failed' && loss.failure.crashed
  countLoss(held, begun, hasCrashed)
  if (loss.kind === 'failed' && !loss.failure.retryable) return { kind: 'refused-by-device', error: loss.failure.error }
  if (job.hasShown && !job.ticket.rerunnable && begun === undefined)
    return hasCrashed ? { kind: 'crashed' } : outcomeOf(loss)
  if (job.course.crashes >= limits.crashes) return { kind: 'crashed' }
  return job.course.losses >= limits.attempts ? outcomeOf(loss) : undefined
}

// A reply that makes progress is worth another attempt, however often its devices leave.
function countLoss(held: Held, begun: ModelFile | undefined, hasCrashed: boolean): void {
  const { job } = held.lease
  const { losses, crashes } = job.course
  const more = begun !== undefined && hasDelivered(held) ? 1 : losses + 1
  job.course = {
    ...job.course,
    losses: held.name === 'running' ? more : losses,
    crashes: hasCrashed ? crashes + 1 : crashes,
  }
}

function outcomeOf(loss: Loss): Outcome {
  // Other devices may be able to open it. If none is, the client has to know why.
  if (loss.kind === 'failed' && loss.failure.error.code === SEAL_REJECTED)
    return { kind: 'refused-by-device', error: loss.failure.error }
  return loss.kind === 'silent' ? { kind: 'timed-out', limit: loss.limit } : { kind: 'device-lost' }
}
