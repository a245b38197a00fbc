// How long jobs wait, and how often they are tried.

import { ACCEPT_MS } from '@hearth/protocol'

export type JobLimits = typeof JOB_LIMITS

export const JOB_LIMITS = {
  waitMs: 120_000,
  acceptMs: ACCEPT_MS,
  /** A device that takes longer to answer an offer is late: the job is offered to another one too. */
  hedgeMs: 1_000,
  firstEventMs: 120_000,
  gapMs: 60_000,
  totalMs: 30 * 60_000,
  attempts: 3,
  crashes: 2,
}
