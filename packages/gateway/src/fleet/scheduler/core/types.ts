// The scheduler's inputs and effects, as plain data. Times are milliseconds on a clock that only moves forward.

import {
  ACCEPT_MS,
  type CancelReason,
  type DeviceModel,
  type Feature,
  type ModelPresence,
  type RefuseReason,
} from '@hearth/protocol'

export type Ms = number

/** A valid request for an enabled model. */
export interface Ticket {
  job: string
  organization: string
  key: string
  model: string
  features: readonly Feature[]
  /** A whole reply: nothing is delivered before the end, so the job can be run again at any time. */
  rerunnable: boolean
  /** Expected tokens of prompt and answers, charged in the fair queue until the job ends. */
  cost: number
  /** The most tokens that the answers may have together, if the client said. */
  answerLimit?: number | undefined
  /** Characters of the prompt. */
  promptSize: number
  /** The conversation up to each message, oldest first: parts of it may still be in a device's cache. */
  prefixes: readonly Prefix[]
}

export interface Prefix {
  hash: number
  size: number
}

export interface LinkedDevice {
  device: string
  /** Grows with each link of the same device, so that late reports over an old link are recognized. */
  epoch: number
  organization: string
  models: readonly DeviceModel[]
}

/** Who reports, and on which attempt. The scheduler never keeps it, so the caller can reuse one object. */
export interface Reporter {
  device: string
  epoch: number
  job: string
  attempt: number
}

/** How much of a reply was delivered. */
export interface Delivered {
  nextSequence: number
  /** By this attempt, all choices together. */
  tokens: number
  /** The client has some of it. */
  isShown: boolean
}

export interface Failure {
  retryable: boolean
  crashed: boolean
  /** Passed on to the reply if the job ends with this failure. */
  error: { code: string; message: string; param?: string }
}

/** Something for the caller to do. */
export type Effect =
  | ({ type: 'offer' } & Offer)
  | ({ type: 'cancel'; reason: CancelReason } & Reporter)
  /** `attempt` is the one that it ended with, if a device worked on it. */
  | { type: 'finish'; job: string; outcome: Outcome; attempt: number | undefined }

/** One attempt of a job on one device. */
export interface Offer extends Reporter {
  /** The device is asked to report the tokens of this file; undefined if it can't, or if nobody could continue from them. */
  readonly file: ModelFile | undefined
  /** Another device has an offer of the same job. */
  readonly isSecond: boolean
  readonly course: Course
}

/** What became of the attempts before: whoever schedules the job next has to know it. */
export interface Course {
  /** Attempts that were accepted and then lost. */
  readonly losses: number
  readonly crashes: number
  /** What drew the part of the reply that is to be continued. */
  readonly begun: ModelFile | undefined
  /** Tokens of that part, all choices together. */
  readonly begunTokens: number
}

/** What draws the tokens of a reply. */
export interface ModelFile {
  readonly digest: string
  readonly contextLength: number
}

/** Tokens that a job used. */
export interface TokenCount {
  readonly prompt: number
  /** All choices together. */
  readonly completion: number
}

export interface Forecast {
  /** 1 is next; undefined once the job has a device. */
  place: number | undefined
  /** From now to the first event; undefined if nothing like it was measured yet, or no device can do the job. */
  firstEventMs: Ms | undefined
}

/** Whose memory is used up: that of the key, its organization or the whole process. */
export type Full = 'key' | 'organization' | 'process'

/** The one end of a job. After `retryMs` the line should be much shorter; undefined if nobody can say. */
export type Outcome =
  | { kind: 'ended' }
  | { kind: 'cancelled' }
  | { kind: 'unsupported'; missing: readonly Feature[] }
  | { kind: 'queue-full'; scope: 'key' | 'organization'; retryMs?: Ms | undefined }
  | { kind: 'no-device'; retryMs?: Ms | undefined }
  | { kind: 'model-disabled' }
  | { kind: 'key-revoked' }
  | { kind: 'refused-by-device'; error: Failure['error'] }
  | { kind: 'device-lost' }
  | { kind: 'crashed' }
  /** There was no room for its reply. */
  | { kind: 'out-of-memory'; full: Full }
  | { kind: 'timed-out'; limit: 'first-event' | 'gap' | 'total' }
  | { kind: 'shutdown' }

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

export type { CancelReason, DeviceModel, Feature, ModelPresence, RefuseReason }
