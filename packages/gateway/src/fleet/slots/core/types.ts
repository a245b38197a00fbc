// What a lessor is told and decides, as plain data. Times are milliseconds on a clock that only moves forward.

import type { Lease, Ms } from '../../terms/job.ts'
import type { Declined } from '../../terms/messages.ts'

/** Something for the caller to tell the gateway that asked, or the one that the device is connected to. */
export type Decision =
  | { type: 'lease'; asker: string; lease: Lease }
  | { type: 'decline'; asker: string; job: string; outcome: Declined }
  /** The home of the device has to say which slots are taken: it may never have seen a lease. */
  | { type: 'doubt'; device: string; epoch: number }

export interface Forecast {
  /** 1 is next; undefined once the job has a device. */
  place: number | undefined
  /** From now to the first event; undefined if nothing like it was measured yet, or no device can do the job. */
  firstEventMs: Ms | undefined
}

export interface LessorLimits {
  /** How long a job waits for a device that has the model in memory before another device loads it. */
  patienceMs: Ms
  /** How long a stream waits for a device that can continue it, if none is there: the same one may come back. */
  returnMs: Ms
  /** How long a device may take to stop. */
  cancelMs: Ms
  queuePerKey: number
  queuePerOrganization: number
  /** How often a forecast of a model's line is compared with what happens. */
  sampleMs: Ms
}

export const LESSOR_LIMITS: LessorLimits = {
  patienceMs: 5_000,
  returnMs: 15_000,
  cancelMs: 5_000,
  queuePerKey: 200,
  queuePerOrganization: 1_000,
  sampleMs: 1_000,
}
