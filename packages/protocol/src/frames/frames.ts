// The device link: the frames that gateway and device send each other, as one JSON text per WebSocket message.
// A message holds one frame, or an array of frames that were ready at the same moment (the tokens of one engine step).
//
// Connecting   The device dials out:  GET /device/v1/link  with  Authorization: Bearer <device credential>.
//              A bad credential gets a 401 before the upgrade; a device without a common protocol version gets close code 4426.
// Greeting     device → hello          the versions, models and features it has; within 10 s
//              gateway → welcome       the chosen version and the ping intervals
//              If two machines use one credential and keep replacing each other's link, the second gets close code 4423 instead.
// A job        gateway → job-start     (job, attempt); a large request follows in job-part frames, numbered from 0
//              device → job-accept     or job-refuse: nothing was started, and the attempt can be offered again
//              device → job-progress*  not numbered; shows that a silent device is alive
//              device → job-delta*, job-calls*, job-annotations*, job-end   numbered by `sequence` from 0 without gaps
//              device → job-sealed*, job-end   instead, if the request is sealed: the content is in boxes that only the client opens
//              device → job-error      instead of job-end, at any time
//              device → job-hand-over  its owner wants the machine back: cancel the job here if another device can continue it right now,
//                                      and otherwise let it run. The device asks again every second.
//              gateway → job-pause, job-resume   the client reads slowly: stop producing, then continue
// Cancelling   gateway → job-cancel    at any time; device → job-cancelled once the slot is free again.
//              A job-end or job-error that was already on its way counts as the confirmation too.
// Heartbeat    gateway → ping, device → pong. Any frame counts as a sign of life; either end closes the link after three silent intervals.
// Changes      device → models         the complete new list, whenever models are added, removed or changed
//              device → downloads      the complete list of downloads in progress, at most once a second; empty when all are done
//              device → backend        where its models compute, and which better back ends can't be used and why; whenever that changes
//              device → rest           why it takes no jobs for now, although it is connected; without a reason once it serves again
//              device → energy         the power it takes now and the energy it took today; at most every few seconds. Without figures once it can't
//                                      read them any more
//              gateway → defaults      of one model that the device has; after the greeting, before the model's first job, and when they change
//              device → library        the models on its disk, its room, and whether people may change them from the console; whenever that changes
// Models       gateway → model-look-up, model-fetch, model-pause, model-cancel, model-remove, model-unblock   only to a device that
//              sent `library`, which does it only while that is open
//              device → model-reply    once per request. `downloads` reports how a download proceeds: it outlives the link and the gateway.
// Copies       device → shared         the complete list of models that it gives to other devices of its organization, whenever that changes
//              gateway → piece-wanted  only to a device that sent `shared`; it sends the bytes over HTTP, so that jobs don't wait behind them
// Names        The gateway drops control characters and direction marks from what a device says about itself, and leaves out models whose names
//              have any: it has to repeat names exactly.
// Leaving      device → drain          it takes no new jobs and finishes those it has
//              gateway → restarting    the gateway is going away; reconnect after `reconnectInMs`
//
// A frame of an old attempt, of an unknown job, or with a sequence number already seen is dropped silently.
// When the link breaks, the device stops its jobs. The gateway has another device (or this one, when it is back) continue a job that asked
// for recovery: a new attempt, with the tokens that came so far.
//
// Compatibility
//   - Unknown frame types and unknown fields are skipped, inside a job too. New fields are optional, and a meaning never changes.
//   - A job field, or a new value of one (a role, a response format), that an older device would skip or reject needs a feature.
//     The table in job-fields.ts names it, the device announces it, and the gateway sends the job only to devices that did.
//     So a device never gets a field it would silently drop. Before it starts a job it checks the needs again, in the same table.
//   - A known frame that is malformed closes the link with code 4400.
//
// Versions     1 (2026-11): first. Since then, without a new version: `prefixScope` of a job, `ownCachedTokens` of a usage, `invalid_value` of an
//              error (`failed` to older gateways), `sizing` of a model, the frame `backend`, close code 4423 (a lost link to older apps),
//              `state` and `loadMs` of a model (to older gateways, every model looks loaded: its jobs wait on the device),
//              `machine` of a hello, the frame `defaults` (older apps skip it, and run jobs with their engine's defaults),
//              the frame `library` and the requests about models, `state` and what follows it of a download,
//              `recovery` of a job and `ids` of a delta, the frames `shared` and `piece-wanted` (older apps send no models to others),
//              `job-hand-over` (with older gateways, the device finishes its jobs), `bareId` of a recovery, the frame `rest` (older gateways
//              just see no models), `takesTemplates` of a library (older gateways don't show that a template is not used), the frame
//              `energy` (older gateways skip it, and show no energy), `blockedRequests` of a model (older gateways don't show them), the
//              frame `model-unblock` (older apps don't answer it), sealed requests: `sealKey` of a hello, the frame `job-sealed`, `box` of
//              job-end and job-error, `seal_rejected` of an error (only devices with the feature `sealed` get one).

import type { ToolCall } from '../job/chat-job.ts'
import type { FinishReason, TokenLogprob, UrlCitation, Usage } from '../job/chat-event.ts'
import type { JobRequest } from '../job/sealed-request.ts'
import type { Feature } from '../features.ts'
import type { Energy } from '../device/energy.ts'
import type { Machine } from '../device/machine.ts'
import type { SentDefaults } from '../device/model-defaults.ts'
import type { PieceWanted, SharedModel } from '../device/sharing.ts'
import type { Download, Library, ModelReply, ModelRequestFrame } from '../device/library.ts'

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
  inUse: 4423,
  noCommonVersion: 4426,
} as const

/** One attempt to run a job on one device. */
export interface JobAttempt {
  job: string
  attempt: number
}

export interface DeviceModel {
  name: string
  /** In tokens, prompt and completion together. */
  contextLength: number
  /** How many jobs the device runs on this model at once. */
  slots: number
  features: Feature[]
  /** Hash of the weights, if the device knows it. */
  digest?: string
  /** The size it got on this device, and why. */
  sizing?: ModelSizing
  /** Absent means loaded, which is what devices that load everything at once always have. */
  state?: ModelPresence
  /** How long the device expects loading to take, from start to ready. */
  loadMs?: number
  /** Requests that it rejects for a while, because its engine crashed on each of them several times. Absent means none. */
  blockedRequests?: number
}

/**
 * Whether the model is in memory. A device takes jobs for all three: one that has to load the model first accepts the job at once, like
 * any other, and reports the phase `loading` until the model is there. Until it is, slots, features and context length are those of the
 * last time it was loaded, or a guess.
 */
export type ModelPresence = 'loaded' | 'loading' | 'loadable'

export interface ModelSizing {
  /** The context length that the model was trained for. */
  trainedLength: number
  /** The type of the cache that holds the tokens: f16, or q8_0 to save memory. */
  cacheType: string
  /** The layers on the GPU, of `layers` altogether. */
  gpuLayers: number
  layers: number
  /** Why it is not more, for people. */
  why: string
}

/** Where a device's models compute. */
export interface DeviceBackend {
  /** 'cuda-built', 'cuda', 'cuda12', 'vulkan', 'metal', 'cpu', or a name that came later. */
  name: string
  /** The graphics card. */
  card?: string
  driver?: string
  /** Better back ends that don't work on this machine, in sentences for its owner. */
  problems: BackendProblem[]
}

/** Why a device takes no jobs for now. */
export interface Rest {
  reason: RestReason
  /** The time of day on the device when it serves again, if its owner set one. */
  until?: string
}

/** Its owner paused it, it is outside the hours that its owner set, it runs on battery, it goes to sleep, or something newer. */
export type RestReason = 'paused' | 'hours' | 'battery' | 'sleep' | 'other'

export interface BackendProblem {
  name: string
  why: string
  /** Advice for the owner. */
  remedy: string
}

export interface Hello {
  type: 'hello'
  protocols: number[]
  app: string
  /** Changes with each start of the device app. */
  boot: string
  engine: string
  models: DeviceModel[]
  machine?: Machine
  /** The public key that clients seal requests for this device with, in base64url. */
  sealKey?: string
}

export type DeviceFrame =
  | Hello
  | { type: 'models'; models: DeviceModel[] }
  | { type: 'downloads'; downloads: Download[] }
  | { type: 'backend'; backend: DeviceBackend }
  | { type: 'rest'; rest?: Rest }
  | { type: 'energy'; energy?: Energy }
  | { type: 'library'; library: Library }
  | { type: 'shared'; models: SharedModel[] }
  | ModelReply
  | { type: 'pong' }
  | { type: 'drain' }
  | ({ type: 'job-accept' } & JobAttempt)
  | ({ type: 'job-refuse'; reason: RefuseReason } & JobAttempt)
  | ({ type: 'job-progress'; phase: ProgressPhase; done?: number; total?: number } & JobAttempt)
  | JobDelta
  | ({ type: 'job-calls'; sequence: number; choice: number; calls: ToolCall[] } & JobAttempt)
  | ({ type: 'job-annotations'; sequence: number; choice: number; annotations: UrlCitation[] } & JobAttempt)
  | JobSealed
  | JobEnd
  | JobError
  | ({ type: 'job-cancelled' } & JobAttempt)
  | ({ type: 'job-hand-over' } & JobAttempt)

export interface JobDelta extends JobAttempt {
  type: 'job-delta'
  sequence: number
  choice: number
  text: string
  /** Tokens this choice took since its last delta, including those that show no text; absent on a device that does not count. */
  tokens?: number
  logprobs?: TokenLogprob[]
  /**
   * The ids of the tokens this choice took since it last reported any, for a job that asks for recovery. The text may be empty then. A single
   * one comes without a list if the job says `bareId`: a list costs the gateway more than all else about it.
   */
  ids?: number | number[]
}

/** An event of a sealed job: a job-delta, job-calls or job-annotations as only the client can read it. */
export interface JobSealed extends JobAttempt {
  type: 'job-sealed'
  sequence: number
  /** As in the delta. */
  tokens?: number
  /** In base64. */
  box: string
}

export interface JobEnd extends JobAttempt {
  type: 'job-end'
  sequence: number
  /** Of a sealed job, every one is `stop`, and the real ones are in the box. */
  finishes: FinishReason[]
  usage?: Usage
  box?: string
}

export interface JobError extends JobAttempt {
  type: 'job-error'
  code: JobErrorCode
  message: string
  /** The job may succeed on another device, or here later. */
  retryable: boolean
  /** The engine crashed on this job, so the job gets few more attempts. */
  crashed: boolean
  param?: string
  /** Of a sealed job: the message and the parameter that the client gets. Those in clear say nothing about the content. */
  box?: string
}

/** `failed` covers everything that is not the request's fault. */
export type JobErrorCode =
  | 'context_length_exceeded'
  | 'invalid_json_schema'
  | 'invalid_function_parameters'
  | 'invalid_value'
  | 'seal_rejected'
  | 'failed'
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
  | { type: 'defaults'; model: string; defaults: SentDefaults }
  | ModelRequestFrame
  | PieceWanted

/** Carries the request itself, or the number of job-part frames that its JSON follows in. */
export type JobStart = JobStartHead & ({ request: JobRequest; parts?: never } | { parts: number; request?: never })

export interface JobStartHead extends JobAttempt {
  type: 'job-start'
  organization: string
}

export type CancelReason = 'client-gone' | 'client-stalled' | 'timed-out' | 'revoked' | 'shutdown' | 'superseded'
