// The scheduler's inputs and effects, as plain data. Times are milliseconds on a clock that only moves forward.

import { ACCEPT_MS, type CancelReason, type DeviceModel } from '@hearth/protocol'
import type { Outcome } from '@hearth/chat'
import type { Ms, Offer, Reporter } from '../../terms/job.ts'

export interface LinkedDevice {
  device: string
  /** Grows with each link of the same device, so that late reports over an old link are recognized. */
  epoch: number
  organization: string
  models: readonly DeviceModel[]
}

/** Something for the caller to do. */
export type Effect =
  | ({ type: 'offer' } & Offer)
  | ({ type: 'cancel'; reason: CancelReason } & Reporter)
  /** `attempt` is the one that it ended with, if a device worked on it. */
  | { type: 'finish'; job: string; outcome: Outcome; attempt: number | undefined }

export interface Forecast {
  /** 1 is next; undefined once the job has a device. */
  place: number | undefined
  /** From now to the first event; undefined if nothing like it was measured yet, or no device can do the job. */
  firstEventMs: Ms | undefined
}

export interface SchedulerLimits {
  waitMs: Ms
  /** How long a job waits for a device that has the model in memory before another device loads it. */
  patienceMs: Ms
  acceptMs: Ms
  /** A device that takes longer to answer an offer is late: the job is offered to another one too. */
  hedgeMs: Ms
  firstEventMs: Ms
  gapMs: Ms
  totalMs: Ms
  /** How long a stream waits for a device that can continue it, if none is there: the same one may come back. */
  returnMs: Ms
  cancelMs: Ms
  queuePerKey: number
  queuePerOrganization: number
  attempts: number
  crashes: number
  /** How often a forecast of a model's line is compared with what happens. */
  sampleMs: Ms
}

export const DEFAULT_LIMITS: SchedulerLimits = {
  waitMs: 120_000,
  patienceMs: 5_000,
  acceptMs: ACCEPT_MS,
  hedgeMs: 1_000,
  firstEventMs: 120_000,
  gapMs: 60_000,
  totalMs: 30 * 60_000,
  returnMs: 15_000,
  cancelMs: 5_000,
  queuePerKey: 200,
  queuePerOrganization: 1_000,
  attempts: 3,
  crashes: 2,
  sampleMs: 1_000,
}
