// How long jobs wait, and how often they are tried.

import { ACCEPT_MS } from '@hearth/protocol'
import type { Ms } from '../terms/job.ts'

export interface JobLimits {
  waitMs: Ms
  acceptMs: Ms
  /** A device that takes longer to answer an offer is late: the job is offered to another one too. */
  hedgeMs: Ms
  firstEventMs: Ms
  gapMs: Ms
  totalMs: Ms
  attempts: number
  crashes: number
}

export const JOB_LIMITS: JobLimits = {
  waitMs: 120_000,
  acceptMs: ACCEPT_MS,
  hedgeMs: 1_000,
  firstEventMs: 120_000,
  gapMs: 60_000,
  totalMs: 30 * 60_000,
  attempts: 3,
  crashes: 2,
}
