// What a scheduler is told and decides, as plain data. Times are milliseconds on a clock that only moves forward.

import type { Lease } from '../../terms/job.ts'
import type { Declined, JobForecast } from '../../terms/messages.ts'

/** Something for the caller to tell the gateway that asked. */
export type Decision =
  | { type: 'lease'; front: string; lease: Lease }
  | { type: 'decline'; front: string; job: string; outcome: Declined }

export type Forecast = Omit<JobForecast, 'job'>

export type SchedulerLimits = typeof SCHEDULER_LIMITS

export const SCHEDULER_LIMITS = {
  /** How long a job waits for a device that has the model in memory before another device loads it. */
  patienceMs: 5_000,
  /** How long a stream waits for a device that can continue it, if none is there: the same one may come back. */
  returnMs: 15_000,
  /** How long a device may take to stop. */
  cancelMs: 5_000,
  queuePerKey: 200,
  queuePerOrganization: 1_000,
  /** How often a forecast of a model's line is compared with what happens. */
  sampleMs: 1_000,
}
