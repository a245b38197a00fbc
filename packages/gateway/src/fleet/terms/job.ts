// A job, in the words that front, home and scheduler share. Times are milliseconds on a clock that only moves forward.

import type { JobSize } from '@hearth/chat'
import type { Feature } from '@hearth/protocol'

export type Ms = number

/** A valid request for an enabled model. */
export interface Ticket extends JobSize {
  job: string
  organization: string
  key: string
  model: string
  features: readonly Feature[]
  /** The only devices that can open the request; undefined if it is not sealed. */
  sealedFor?: readonly string[]
  /** A whole reply: nothing is delivered before the end, so the job can be run again at any time. */
  rerunnable: boolean
}

/** Of a sealed job. */
export interface SealedTicket extends Ticket {
  sealedFor: readonly string[]
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

/** One attempt of a job on one device. */
export interface Offer extends Reporter {
  /** The device is asked to report the tokens of this file; undefined if it can't, or if nobody could continue from them. */
  readonly file: ModelFile | undefined
  /** Another device has an offer of the same job. */
  readonly isSecond: boolean
  readonly course: Course
}

/** How the earlier attempts ended: whoever schedules the job next has to know. */
export interface Course {
  /** Attempts that were accepted and then lost. */
  readonly losses: number
  readonly crashes: number
  /** The model file that drew the part of the reply that is to be continued. */
  readonly begun: ModelFile | undefined
  /** Tokens of that part, all choices together. */
  readonly begunTokens: number
}

/** The file and the context length that the tokens of a reply depend on. */
export interface ModelFile {
  readonly digest: string
  readonly contextLength: number
}

/** Another device continued the reply; the last time, if it happened more than once. */
export interface TakeOver {
  /** The device that wrote the part before. */
  readonly left: string
  /** From the last event of that device to the first of the next one. */
  readonly gapMs: Ms
}

/** Tokens that a job used. */
export interface TokenCount {
  readonly prompt: number
  /** All choices together. */
  readonly completion: number
}

/** Before the first attempt. */
export const NEW_COURSE: Course = { losses: 0, crashes: 0, begun: undefined, begunTokens: 0 }
