// What becomes of a job whose attempt is over without an end.

import type { Job, Lease } from './state.ts'
import type { Failure, Outcome, SchedulerLimits } from './types.ts'

export type Loss =
  /** The link went, or the device left the protocol. */
  | { kind: 'lost' }
  /** The device neither accepted nor refused. */
  | { kind: 'unanswered' }
  | { kind: 'failed'; failure: Failure }
  | { kind: 'silent'; limit: 'first-event' | 'gap' }

/** Counts the loss; gives the job's end, or undefined when it may be tried again. */
export function judgeLoss(job: Job, lease: Lease, loss: Loss, limits: SchedulerLimits): Outcome | undefined {
  const hasCrashed = loss.kind === 'failed' && loss.failure.crashed
  if (lease.acceptedAt !== undefined) job.losses += 1
  if (hasCrashed) job.crashes += 1
  if (loss.kind === 'failed' && !loss.failure.retryable) return { kind: 'refused-by-device', error: loss.failure.error }
  if (lease.nextSequence > 0 && !job.ticket.rerunnable) return hasCrashed ? { kind: 'crashed' } : endOf(loss)
  if (job.crashes >= limits.crashes) return { kind: 'crashed' }
  return job.losses >= limits.attempts ? endOf(loss) : undefined
}

function endOf(loss: Loss): Outcome {
  return loss.kind === 'silent' ? { kind: 'timed-out', limit: loss.limit } : { kind: 'device-lost' }
}
