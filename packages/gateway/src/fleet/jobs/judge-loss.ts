// Decides whether a job gets another attempt after one was lost.

import type { Failure, Outcome } from '@hearth/chat'
import type { ModelFile } from '../terms/job.ts'
import { hasDelivered, type Job, type Running } from './job.ts'
import type { JobLimits } from './limits.ts'

/** The device could not open a sealed request. */
const SEAL_REJECTED = 'seal_rejected'

export type Loss =
  /** The link was lost, or the device broke the protocol. */
  | { kind: 'lost' }
  /** The device didn't answer the offer. */
  | { kind: 'unanswered' }
  | { kind: 'failed'; failure: Failure }
  | { kind: 'silent'; limit: 'first-event' | 'gap' }

/**
 * Counts the loss; `run` is undefined if no device had accepted the job. Returns the outcome if the job ends with it, or undefined if it may be
 * tried again or continued.
 */
export function judgeLoss(
  job: Job,
  run: Running | undefined,
  loss: Loss,
  begun: ModelFile | undefined,
  limits: JobLimits,
): Outcome | undefined {
  const hasCrashed = loss.kind === 'failed' && loss.failure.crashed
  // A reply that makes progress is worth another attempt, however often its devices leave.
  if (run !== undefined) job.losses = begun !== undefined && hasDelivered(run) ? 1 : job.losses + 1
  if (hasCrashed) job.crashes += 1
  if (loss.kind === 'failed' && !loss.failure.retryable) return { kind: 'refused-by-device', error: loss.failure.error }
  if (job.answer.hasShown && !job.ticket.rerunnable && begun === undefined)
    return hasCrashed ? { kind: 'crashed' } : outcomeOf(loss)
  if (job.crashes >= limits.crashes) return { kind: 'crashed' }
  return job.losses >= limits.attempts ? outcomeOf(loss) : undefined
}

function outcomeOf(loss: Loss): Outcome {
  // Other devices may be able to open it. If none is, the client has to know why.
  if (loss.kind === 'failed' && loss.failure.error.code === SEAL_REJECTED)
    return { kind: 'refused-by-device', error: loss.failure.error }
  return loss.kind === 'silent' ? { kind: 'timed-out', limit: loss.limit } : { kind: 'device-lost' }
}

/** Leaving a device counts as a loss, so that two devices can't pass a job back and forth forever. It never costs the last attempt. */
export function mayLeave(job: Job, run: Running, begun: ModelFile | undefined, limits: JobLimits): boolean {
  const hasBegun = job.begun !== undefined || hasDelivered(run)
  if (job.isModelClosed || (hasBegun && begun === undefined)) return false
  return (begun !== undefined && hasDelivered(run)) || job.losses + 1 < limits.attempts
}
