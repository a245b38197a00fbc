// The device link: what gateway and device say to each other, one JSON text per WebSocket message.
// A message holds one frame, or an array of frames that were ready at the same moment (the tokens of one engine step).
//
// Connecting   The device dials out:  GET /device/v1/link  with  Authorization: Bearer <device credential>.
//              A bad credential is answered 401 before the upgrade; a device that speaks no common protocol version gets close code 4426.
// Greeting     device → hello          what it speaks, serves and can do; within 10 s
//              gateway → welcome       the chosen version and the ping intervals
// A job        gateway → job-start     (job, attempt); a large request follows in job-part frames, numbered from 0
//              device → job-accept     or job-refuse: nothing was started, no attempt is used up
//              device → job-progress*  not numbered; shows that a silent device is alive
//              device → job-delta*, job-calls*, job-annotations*, job-end   numbered by `sequence` from 0 without gaps
//              device → job-error      instead of job-end, at any time
//              gateway → job-pause, job-resume   the client reads slowly: stop producing, go on
// Cancelling   gateway → job-cancel    at any time; device → job-cancelled once the slot is free again.
//              A job-end or job-error that was already under way serves as the confirmation too.
// Living       gateway → ping, device → pong. Any frame counts as a sign of life; silence of three intervals closes the link on either end.
// Changing     device → models         the whole new list, whenever models come, go or change
//              device → downloads      models under way to the device, the whole list, at most once a second; empty when all have come
// Leaving      device → drain          it takes no more jobs and finishes those it has
//              gateway → restarting    the gateway goes away; reconnect after `reconnectInMs`
//
// A frame of another attempt than the current one, of an unknown job, or with a sequence number already seen is dropped without a word.
// When the link breaks, the device stops its jobs: there is no resuming in this version.
//
// Growing      Unknown fields and unknown frame types are skipped; new fields are optional; a meaning never changes.
//              A known frame that is malformed closes the link with code 4400.
// Versions     1 (2026-11): first.

import type { ChatJob, ToolCall } from './chat-job.ts'
import type { FinishReason, TokenLogprob, UrlCitation, Usage } from './chat-event.ts'
import type { Feature } from './features.ts'

export const PROTOCOL_VERSIONS: readonly number[] = [1]

export const CLOSE = {
  normal: 1000,
  goingAway: 1001,
  internal: 1011,
  malformedFrame: 4400,
  revoked: 4401,
  greetingTimeout: 4408,
  superseded: 4409,
  silent: 4410,
  overloaded: 4413,
  noCommonVersion: 4426,
} as const

/** Names one try of a job on one device. */
export interface JobAttempt {
  job: string
  attempt: number
}

export interface DeviceModel {
  name: string
  /** Tokens of prompt and answer together. */
  contextLength: number
  /** Jobs the device runs at once on this model. */
  slots: number
  features: Feature[]
  /** Hash of the weights, when the device knows it. */
  digest?: string
}

/** A model the device is fetching; without a total when nobody knows it. */
export interface Download {
  model: string
  doneBytes: number
  totalBytes?: number
}

export interface Hello {
  type: 'hello'
  protocols: number[]
  app: string
  /** Changes with each start of the device app. */
  boot: string
  engine: string
  models: DeviceModel[]
}

export type DeviceFrame =
  | Hello
  | { type: 'models'; models: DeviceModel[] }
  | { type: 'downloads'; downloads: Download[] }
  | { type: 'pong' }
  | { type: 'drain' }
  | ({ type: 'job-accept' } & JobAttempt)
  | ({ type: 'job-refuse'; reason: RefuseReason } & JobAttempt)
  | ({ type: 'job-progress'; phase: ProgressPhase; done?: number; total?: number } & JobAttempt)
  | JobDelta
  | ({ type: 'job-calls'; sequence: number; choice: number; calls: ToolCall[] } & JobAttempt)
  | ({ type: 'job-annotations'; sequence: number; choice: number; annotations: UrlCitation[] } & JobAttempt)
  | ({ type: 'job-end'; sequence: number; finishes: FinishReason[]; usage?: Usage } & JobAttempt)
  | JobError
  | ({ type: 'job-cancelled' } & JobAttempt)

export interface JobDelta extends JobAttempt {
  type: 'job-delta'
  sequence: number
  choice: number
  text: string
  /** Tokens this choice took since its last delta, also those that show no text; absent on a device that does not count. */
  tokens?: number
  logprobs?: TokenLogprob[]
}

export interface JobError extends JobAttempt {
  type: 'job-error'
  code: JobErrorCode
  message: string
  /** Another device, or this one later, might succeed. */
  retryable: boolean
  /** The engine died on this job: it is not tried often. */
  crashed: boolean
  param?: string
}

/** `failed` is everything that is not the request's fault. */
export type JobErrorCode = 'context_length_exceeded' | 'invalid_json_schema' | 'invalid_function_parameters' | 'failed'
export type RefuseReason = 'busy' | 'not-loaded' | 'draining' | 'unsupported' | 'wrong-organization'
export type ProgressPhase = 'queued' | 'loading' | 'prompt' | 'reasoning' | 'searching'

export type GatewayFrame =
  | {
      type: 'welcome'
      protocol: number
      device: string
      organization: string
      pingBusyMs: number
      pingIdleMs: number
    }
  | { type: 'ping' }
  | JobStart
  | ({ type: 'job-part'; index: number; text: string } & JobAttempt)
  | ({ type: 'job-cancel'; reason: CancelReason } & JobAttempt)
  | ({ type: 'job-pause' } & JobAttempt)
  | ({ type: 'job-resume' } & JobAttempt)
  | { type: 'restarting'; reconnectInMs: number }
  | { type: 'notice'; text: string }

/** Exactly one of `request` and `parts` is there: the request itself, or the number of job-part frames that spell its JSON. */
export interface JobStart extends JobAttempt {
  type: 'job-start'
  organization: string
  request?: ChatJob
  parts?: number
}

export type CancelReason = 'client-gone' | 'client-stalled' | 'timed-out' | 'revoked' | 'shutdown' | 'superseded'
