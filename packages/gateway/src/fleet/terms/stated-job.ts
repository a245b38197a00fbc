// A job as its front states it to a scheduler that doesn't know it. Times are ages, because gateways have different clocks.

import type { Course, ModelFile, Ms, Ticket } from './job.ts'

export interface StatedJob {
  ticket: Ticket
  requestBytes: number
  ageMs: Ms
  /** Since a device accepted it for the first time; undefined if none did. */
  startedMsAgo: Ms | undefined
  /** Number of the latest offer. */
  attempt: number
  /** Up to that offer. */
  course: Course
  hasShown: boolean
  isRecordable: boolean
  /** The attempt that followed from that offer; undefined if none did. */
  held: StatedAttempt | undefined
}

export interface StatedAttempt {
  attempt: number
  device: string
  epoch: number
  file: ModelFile | undefined
  /** Undefined while the device has not accepted it. */
  run: StatedRun | undefined
  /** The attempt is over, and the previous scheduler has not decided how the job continues. */
  isLost: boolean
}

export interface StatedRun {
  acceptedMsAgo: Ms
  isLoading: boolean
  nextSequence: number
  promptTokens: number | undefined
  deliveredTokens: number
}
