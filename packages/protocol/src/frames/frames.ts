// The device link: the frames that gateway and device send each other, as one JSON text per
// WebSocket message. A message holds one frame, or an array of frames that were ready at the same
// moment (the tokens of one engine step). docs/protocol.md explains all of it to people who write
// a device; this is the order of frames, for those who change the protocol.
//
// Connecting   The device dials out:  GET /device/v1/link  with
//              Authorization: Bearer <device credential>. A bad credential gets a 401 before the
//              upgrade; a device without a common protocol version gets close code 4426.
// Greeting     device → hello          the versions, models and features it has; within 10 s
//              gateway → welcome       the chosen version and the ping intervals
//              If two machines use one credential and keep replacing each other's link, the second
//              gets close code 4423 instead.
// A job        gateway → job-start     (job, attempt); a large request follows in job-part frames,
//                                      numbered from 0
//              device → job-accept     or job-refuse: nothing was started, and the attempt can be
//                                      offered again
//              device → job-progress*  not numbered; shows that a silent device is alive
//              device → job-delta*, job-calls*, job-annotations*, job-end
//                                      numbered by `sequence` from 0 without gaps
//              device → job-sealed*, job-end
//                                      instead, if the request is sealed: the content is in boxes
//                                      that only the client opens
//              device → job-error      instead of job-end, at any time
//              device → job-hand-over  its owner wants the machine back: cancel the job here if
//                                      another device can continue it right now, and otherwise let
//                                      it run. The device asks again every second.
//              gateway → job-pause, job-resume
//                                      the client reads slowly: stop producing, then continue
// Cancelling   gateway → job-cancel    at any time; device → job-cancelled once the slot is free
//                                      again. A job-end or job-error that was already on its way
//                                      counts as the confirmation too.
// Heartbeat    gateway → ping, device → pong
//              Any frame counts as a sign of life; either end closes the link after three silent
//              intervals.
// Changes      device → models         the complete new list, whenever models are added, removed or
//                                      changed
//              device → downloads      the complete list of downloads in progress, at most once a
//                                      second; empty when all are done
//              device → backend        where its models compute, and which better back ends can't
//                                      be used and why; whenever that changes
//              device → rest           why it takes no jobs for now, although it is connected;
//                                      without a reason once it serves again
//              device → energy         the power it takes now and the energy it took today; at most
//                                      every few seconds. Without figures once it can't read them
//                                      any more
//              gateway → defaults      of one model that the device has; after the greeting, before
//                                      the model's first job, and when they change
//              device → library        the models on its disk, its room, and whether people may
//                                      change them from the console; whenever that changes
// Models       gateway → model-look-up, model-fetch, model-pause, model-cancel, model-remove,
//                        model-unblock, server-add
//                                      only to a device that sent `library`, which does it only
//                                      while that is open
//              device → model-reply    once per request. `downloads` reports how a download
//                                      proceeds: it outlives the link and the gateway.
// Copies       device → shared         the complete list of models that it gives to other devices
//                                      of its organization, whenever that changes
//              gateway → piece-wanted  only to a device that sent `shared`; it sends the bytes over
//                                      HTTP, so that jobs don't wait behind them
// Names        The gateway drops control characters and direction marks from what a device says
//              about itself, and leaves out models whose names have any: it has to repeat names
//              exactly.
// Leaving      device → drain          it takes no new jobs and finishes those it has
//              gateway → restarting    the gateway is going away; reconnect after `reconnectInMs`
//
// A frame of an old attempt, of an unknown job, or with a sequence number already seen is dropped
// silently. When the link breaks, the device stops its jobs. The gateway has another device (or
// this one, when it is back) continue a job that asked for recovery: a new attempt, with the tokens
// that came so far.
//
// Compatibility
//   - Unknown frame types and unknown fields are skipped, inside a job too. New fields are
//     optional, and a meaning never changes.
//   - A job field, or a new value of one (a role, a response format), that an older device would
//     skip or reject needs a feature. The table in job-fields.ts names it, the device announces it,
//     and the gateway sends the job only to devices that did. So a device never gets a field it
//     would silently drop. Before it starts a job it checks the needs again, in the same table.
//   - A known frame that is malformed closes the link with code 4400.
//
// Versions     1 (2026-11): first. Since then, without a new version:
//              - `prefixScope` of a job, `ownCachedTokens` of a usage
//              - `invalid_value` of an error (`failed` to older gateways)
//              - `sizing` of a model, the frame `backend`
//              - close code 4423 (a lost link to older apps)
//              - `state` and `loadMs` of a model (to older gateways, every model looks loaded: its
//                jobs wait on the device)
//              - `machine` of a hello
//              - the frame `defaults` (older apps skip it, and run jobs with their engine's
//                defaults)
//              - the frame `library` and the requests about models, `state` and what follows it of
//                a download
//              - `recovery` of a job and `ids` of a delta
//              - the frames `shared` and `piece-wanted` (older apps send no models to others)
//              - `job-hand-over` (with older gateways, the device finishes its jobs)
//              - `bareId` of a recovery
//              - the frame `rest` (older gateways just see no models)
//              - `takesTemplates` of a library (older gateways don't show that a template is not
//                used)
//              - the frame `energy` (older gateways skip it, and show no energy)
//              - `blockedRequests` of a model (older gateways don't show them)
//              - the frame `model-unblock` (older apps don't answer it)
//              - sealed requests: `sealKey` of a hello, the frame `job-sealed`, `box` of job-end
//                and job-error, `seal_rejected` of an error (only devices with the feature `sealed`
//                get one)
//              - `recommended` of defaults
//              - `client` of job-start (older apps write no ids into their log)
//              - `quantizations` of a found model and `hits` of a model-reply (older apps look up
//                only references)
//              - `servers` and `files` of a library and the frame `server-add` (older gateways don't
//                show them)

import { backend, HELLO, models, rest } from '../device/device-state.ts'
import { energy } from '../device/energy.ts'
import { download, library, MODEL_REPLY, MODEL_REQUESTS } from '../device/library.ts'
import { sentDefaults } from '../device/model-defaults.ts'
import { COPY_FRAMES, sharedModel } from '../device/sharing.ts'
import { finishReason, urlCitation, usage, type TokenLogprob } from '../job/chat-event.ts'
import type { ClientIds } from '../job/client-ids.ts'
import type { JobRequest } from '../job/sealed-request.ts'
import {
  MAX_ANNOTATIONS,
  MAX_CALLS,
  MAX_CHOICES,
  MAX_END_BOX_LENGTH,
  MAX_MODELS_PER_DEVICE,
  MAX_NAME_LENGTH,
} from '../limits.ts'
import { asCount, asFlag, asText } from '../read-fields.ts'
import { count, list, maybe, object, oneOf, text, type Shaped, type ValueOf, type Variants } from '../shapes.ts'

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

const name = text(MAX_NAME_LENGTH)

/** One attempt to run a job on one device. */
const attempt = { job: name, attempt: asCount }
const place = { ...attempt, sequence: asCount, choice: count(MAX_CHOICES - 1) }

export type JobAttempt = Shaped<typeof attempt>

const refuseReason = oneOf(['busy', 'not-loaded', 'draining', 'unsupported', 'wrong-organization'], 'busy')
const progressPhase = oneOf(['queued', 'loading', 'prompt', 'reasoning', 'searching'], 'queued')
/** `failed` covers everything that is not the request's fault. */
const errorCode = oneOf(
  [
    'context_length_exceeded',
    'invalid_json_schema',
    'invalid_function_parameters',
    'invalid_value',
    'seal_rejected',
    'failed',
  ],
  'failed',
)

export type RefuseReason = ValueOf<typeof refuseReason>
export type ProgressPhase = ValueOf<typeof progressPhase>
export type JobErrorCode = ValueOf<typeof errorCode>

const call = object({ id: name, name, arguments: asText })

export const DEVICE_FRAMES = {
  hello: HELLO,
  models: { models },
  downloads: { downloads: list(MAX_MODELS_PER_DEVICE, download) },
  backend: { backend },
  rest: { rest: maybe(rest) },
  energy: { energy: maybe(energy) },
  library: { library },
  shared: { models: list(MAX_MODELS_PER_DEVICE, sharedModel) },
  ...MODEL_REPLY,
  pong: {},
  drain: {},
  'job-accept': attempt,
  'job-refuse': { ...attempt, reason: refuseReason },
  'job-progress': { ...attempt, phase: progressPhase, done: maybe(asCount), total: maybe(asCount) },
  'job-calls': { ...place, calls: list(MAX_CALLS, call) },
  'job-annotations': { ...place, annotations: list(MAX_ANNOTATIONS, urlCitation) },
  'job-end': {
    ...attempt,
    sequence: asCount,
    /** Of a sealed job, every one is `stop`, and the real ones are in the box. */
    finishes: list(MAX_CHOICES, finishReason),
    usage: maybe(usage),
    box: maybe(text(MAX_END_BOX_LENGTH)),
  },
  'job-error': {
    ...attempt,
    code: errorCode,
    message: (value: unknown, field: string): string => asText(value, field).slice(0, 2048),
    /** The job may succeed on another device, or here later. */
    retryable: asFlag,
    /** The engine crashed on this job, so the job gets few more attempts. */
    crashed: asFlag,
    param: maybe(name),
    /**
     * Of a sealed job: the message and the parameter that the client gets. Those in the clear say
     * nothing about the content.
     */
    box: maybe(text(MAX_END_BOX_LENGTH)),
  },
  'job-cancelled': attempt,
  'job-hand-over': attempt,
} as const

export type DeviceFrame = Variants<'type', typeof DEVICE_FRAMES> | JobDelta | JobSealed
export type Hello = Extract<DeviceFrame, { type: 'hello' }>
export type JobEnd = Extract<DeviceFrame, { type: 'job-end' }>
export type JobError = Extract<DeviceFrame, { type: 'job-error' }>

export interface JobDelta extends JobAttempt {
  type: 'job-delta'
  sequence: number
  choice: number
  text: string
  /**
   * Tokens this choice took since its last delta, including those that show no text; absent on a
   * device that does not count.
   */
  tokens?: number
  logprobs?: TokenLogprob[]
  /**
   * The ids of the tokens this choice took since it last reported any, for a job that asks for
   * recovery. The text may be empty then. A single one comes without a list if the job says
   * `bareId`: a list costs the gateway more than all else about it.
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

/** Devices trust their gateway not to send endless texts. */
const sent = { job: asText, attempt: asCount }

const cancelReason = oneOf(
  ['client-gone', 'client-stalled', 'timed-out', 'revoked', 'shutdown', 'superseded'],
  'client-gone',
)

export type CancelReason = ValueOf<typeof cancelReason>

export const GATEWAY_FRAMES = {
  welcome: { protocol: asCount, device: asText, organization: asText, pingBusyMs: asCount, pingIdleMs: asCount },
  ping: {},
  'job-part': { ...sent, index: asCount, text: asText },
  'job-cancel': { ...sent, reason: cancelReason },
  'job-pause': sent,
  'job-resume': sent,
  restarting: { reconnectInMs: asCount },
  notice: { text: asText },
  defaults: { model: asText, defaults: sentDefaults },
  ...MODEL_REQUESTS,
  ...COPY_FRAMES,
} as const

export type GatewayFrame = Variants<'type', typeof GATEWAY_FRAMES> | JobStart

/** Carries the request itself, or the number of job-part frames that its JSON follows in. */
export type JobStart = JobStartHead & ({ request: JobRequest; parts?: never } | { parts: number; request?: never })

export interface JobStartHead extends JobAttempt {
  type: 'job-start'
  organization: string
  /** What the client calls the request. A device only writes it into its log. */
  client?: ClientIds | undefined
}
