// The scheduler's vocabulary: plain data in, plain data out. Times are milliseconds of a clock that only moves forward.

import { ACCEPT_MS, type CancelReason, type DeviceModel, type Feature, type RefuseReason } from '@hearth/protocol'
import type { TokenCount } from './token-count.ts'

export type Ms = number

/** A request that was read, validated and found to name an enabled model. */
export interface Ticket {
  job: string
  organization: string
  key: string
  model: string
  features: readonly Feature[]
  /** Nothing is delivered before the end (a whole reply), so the job may be run again at any time. */
  rerunnable: boolean
  /** Expected tokens, prompt and answers together: what the job is charged in the fair queue until its real tokens are known. */
  cost: number
  /** Characters of prompt: a stand-in for prompt tokens. */
  promptSize: number
  /** Hashes of the conversation up to each message, oldest first, with the characters up to there: what a device may still hold in its cache. */
  prefixes: readonly Prefix[]
}

export interface Prefix {
  hash: number
  size: number
}

export interface LinkedDevice {
  device: string
  /** Grows with each link of the same device, so that a late word of an old link is told from the new one. */
  epoch: number
  organization: string
  models: readonly DeviceModel[]
}

/** Who speaks, and about which attempt. Never kept by the scheduler: the caller may fill in the same one again. */
export interface Speaker {
  device: string
  epoch: number
  job: string
  attempt: number
}

export interface Failure {
  retryable: boolean
  crashed: boolean
  /** Handed through to the reply when the job ends with this failure. */
  error: { code: string; message: string; param?: string }
}

/** What the adapter does next. */
export type Effect =
  | { type: 'offer'; job: string; attempt: number; device: string; epoch: number }
  | { type: 'cancel'; job: string; attempt: number; device: string; epoch: number; reason: CancelReason }
  /** What was collected of this job so far is void: it runs again from the start. Only for rerunnable jobs. */
  | { type: 'restart'; job: string }
  | {
      type: 'finish'
      job: string
      outcome: Outcome
      device: string | undefined
      waitMs: Ms
      /** What the last attempt took; nothing unless a device accepted it. */
      tokens: TokenCount
    }

/** The one end of a job. */
export type Outcome =
  | { kind: 'ended' }
  | { kind: 'cancelled' }
  | { kind: 'unsupported'; missing: readonly Feature[] }
  | { kind: 'queue-full'; scope: 'key' | 'organization' }
  | { kind: 'no-device' }
  | { kind: 'model-disabled' }
  | { kind: 'key-revoked' }
  | { kind: 'refused-by-device'; error: Failure['error'] }
  | { kind: 'device-lost' }
  | { kind: 'crashed' }
  | { kind: 'timed-out'; limit: 'first-event' | 'gap' | 'total' }
  | { kind: 'shutdown' }

/** What to do with a numbered frame. */
export type Verdict = 'deliver' | 'drop'

export interface SchedulerLimits {
  waitMs: Ms
  acceptMs: Ms
  firstEventMs: Ms
  gapMs: Ms
  totalMs: Ms
  cancelMs: Ms
  queuePerKey: number
  queuePerOrganization: number
  attempts: number
  crashes: number
}

export const DEFAULT_LIMITS: SchedulerLimits = {
  waitMs: 120_000,
  acceptMs: ACCEPT_MS,
  firstEventMs: 120_000,
  gapMs: 60_000,
  totalMs: 30 * 60_000,
  cancelMs: 5_000,
  queuePerKey: 200,
  queuePerOrganization: 1_000,
  attempts: 3,
  crashes: 2,
}

export type { CancelReason, DeviceModel, Feature, RefuseReason, TokenCount }
