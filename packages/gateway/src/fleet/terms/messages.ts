// Everything that gateways say to each other. A gateway has the jobs that came in there (`jobs/`), is the home of the devices that are
// connected there (`devices/`), and leases the slots of some organizations (`slots/`). To itself it says it by a call; to another gateway,
// over a peer link.
//
// A job        jobs → lessor      ask, withdraw            a slot is wanted, or no longer; never the prompt
//              lessor → jobs      lease                    a slot of a device, and the gateway that is its home
//              lessor → jobs      decline                  there is none for this job
//              jobs → home        start                    with the request and the lease
//              home → jobs        job frames, as they came; attempt-lost when the device's link is gone
//              jobs → home        tell                     job-cancel, job-pause, job-resume
//              jobs → lessor      answered, late           the device has accepted the job, or takes long
//              jobs → lessor      settled                  the front is done with the lease: what it took, and whether another is wanted
// Devices      home → lessor      device, device-down      what a device offers and which leases take its slots
//              home → lessor      freed                    the slot of a lease is free
//              lessor → home      state-wanted             say again which slots are taken: leases that are on their way are void
//              lessor → home      superseded               the device has a newer link elsewhere
//              lessor → home      in-use, contested        another machine has the device's credential: reject this one, or tell it
//              lessor → all       served                   the models of an organization that take jobs
// Moving       all → lessor       stating, stated          what waits and which slots are taken follows, and was all
// Console      question, answer, watch, unwatch, changed

//
// Everyone who has the password of the bus can say something, so a gateway looks at messages before it believes them: one that makes no sense must
// not stop it, now or when it acts on what it heard.

import {
  MAX_MODELS_PER_DEVICE,
  MAX_SLOTS_PER_MODEL,
  isObject,
  readDeviceFrame,
  type CancelReason,
  type DeviceModel,
  type JobAttempt,
  type ModelReply,
  type ModelRequestFrame,
  type ProgressPhase,
} from '@hearth/protocol'
import type { Failed } from '@hearth/chat'
import { z } from 'zod'
import type { FleetDevice } from './fleet-view.ts'
import { isJobFrame, type JobFrame } from './job-frame.ts'
import { amount, ask, client, count, lease, listOf, name, settlement, type Lease } from './job.ts'

/** Gateways that use another version are left out. Change it when a message changes in a way that older gateways misread. */
export const MESSAGES_VERSION = '7'

const organization = name
const attempt = { job: name, attempt: count }
/** A lease, and the device that it is for. */
const leaseOf = { device: name, lease: count }
const link = { device: name, epoch: count }

const models = listOf(
  z.looseObject({
    name,
    contextLength: count,
    slots: count.max(MAX_SLOTS_PER_MODEL),
    features: listOf(name),
    digest: name.optional(),
    loadMs: count.optional(),
  }) as z.ZodType as z.ZodType<DeviceModel>,
  MAX_MODELS_PER_DEVICE,
)

/** A device as its home knows it. */
const statement = z.object({
  ...link,
  /** Grows when the home states anew: leases that are not in `taken` and based on an earlier edition are void. */
  edition: count,
  /** Of the device app: one for each start. */
  boot: name,
  address: name,
  /** None while it is paused. */
  models,
  isDraining: z.boolean(),
  taken: listOf(z.object({ lease: count, model: name }), MAX_MODELS_PER_DEVICE * MAX_SLOTS_PER_MODEL),
})
export type DeviceStatement = z.infer<typeof statement>

const retryMs = amount.optional()
const outcome = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('unsupported'), missing: listOf(name) }),
  z.object({ kind: z.literal('queue-full'), scope: z.enum(['key', 'organization']), retryMs }),
  /** Its time is over. */
  z.object({ kind: z.literal('no-device'), retryMs }),
  z.object({
    kind: z.literal('budget-used'),
    holder: z.enum(['key', 'member', 'organization']),
    tokensPerMonth: count,
    /** The last moment that a date can be. */
    renewsAt: count.max(8.64e15),
  }),
]) as z.ZodType as z.ZodType<Declined>
export type Declined = Extract<Failed, { kind: 'unsupported' | 'queue-full' | 'no-device' | 'budget-used' }>

/** One attempt of a job on a leased slot. */
const start = z.object({
  ...attempt,
  ...leaseOf,
  epoch: count,
  edition: count,
  organization,
  model: name,
  client: client.optional(),
})
export type Start = z.infer<typeof start>

const order = z
  .object({ ...attempt, type: z.enum(['job-cancel', 'job-pause', 'job-resume']) })
  .loose() as z.ZodType as z.ZodType<JobOrder>
export type JobOrder = JobAttempt &
  ({ type: 'job-cancel'; reason: CancelReason } | { type: 'job-pause' } | { type: 'job-resume' })

/** A request to a device about its models, without its number. */
export type ModelAsk = DistributiveOmit<ModelRequestFrame, 'request'>
type DistributiveOmit<Union, Key extends PropertyKey> = Union extends unknown ? Omit<Union, Key> : never
const modelAsk = z.looseObject({
  type: z.enum(['model-look-up', 'model-fetch', 'model-pause', 'model-cancel', 'model-remove', 'model-unblock']),
  by: z.string(),
}) as z.ZodType as z.ZodType<ModelAsk>
const question = z.discriminatedUnion('kind', [
  /** With `after`, a page of it: the devices with higher ids than this. Without, all at once. */
  z.object({ kind: z.literal('view'), organization, after: name.optional() }),
  z.object({ kind: z.literal('waiting'), key: name }),
  z.object({ kind: z.literal('ask-model'), organization, device: name, ask: modelAsk }),
])
export type Question = z.infer<typeof question>

const seen = z.looseObject({
  id: name,
  state: z.enum(['linked', 'draining']),
  app: name,
  engine: name,
  models,
  downloads: listOf(z.looseObject({ model: z.string(), doneBytes: count })),
  backend: z.looseObject({ name, problems: listOf(z.looseObject({ name: z.string() })) }).optional(),
  rest: z.looseObject({ reason: name }).optional(),
  energy: z.looseObject({ parts: listOf(name), watts: amount, wattHoursToday: amount }).optional(),
  library: z.looseObject({ isOpen: z.boolean(), models: listOf(z.looseObject({ name: z.string() })) }).optional(),
  machine: z.looseObject({}).optional(),
  sealKey: name.optional(),
  address: name,
  conflict: z.looseObject({ address: name, at: z.iso.datetime() }).optional(),
  latencyMs: z.number().optional(),
}) as z.ZodType as z.ZodType<FleetDevice>
/** One gateway's part of the view of an organization. */
const view = z.object({
  devices: listOf(z.object({ epoch: count, device: seen })),
  queued: listOf(z.tuple([name, count])),
  running: listOf(z.object({ device: name, model: name, leases: count })),
  /** The last device of a page that is followed by another. */
  next: name.optional(),
})
export type ViewPart = z.infer<typeof view>

/** Counts are tokens, and there only while the device reads the prompt. */
const progress = z.object({
  phase: name as z.ZodType<string> as z.ZodType<ProgressPhase>,
  done: count.optional(),
  total: count.optional(),
})
export type JobProgress = z.infer<typeof progress>
/** A job that has produced nothing yet, as its front knows it. */
const waiting = z.object({
  job: name,
  model: name,
  /** The device that accepted it. Undefined while the job waits for one. */
  device: name.optional(),
  /** That device's latest report about it. */
  progress: progress.optional(),
  ageMs: amount,
})
export type FrontWaitingJob = z.infer<typeof waiting>
/** From the lessor of the job's organization. */
const forecast = z.object({
  job: name,
  /** 1 is next; undefined once the job has a device. */
  place: count.optional(),
  /** From now to the first event; undefined if nothing like it was measured yet, or no device can do the job. */
  firstEventMs: amount.optional(),
})
export type JobForecast = z.infer<typeof forecast>
/** As the people who wait for it see it. */
export type WaitingJob = Omit<FrontWaitingJob, 'ageMs'> & Omit<JobForecast, 'job'>
const modelReply = z.looseObject({ type: z.literal('model-reply') }) as z.ZodType as z.ZodType<ModelReply>
const modelAnswer = z.discriminatedUnion('kind', [
  /** The device is not connected, or its link ended before it answered. It may have done what was asked. */
  z.object({ kind: z.literal('gone') }),
  /** The device app is too old for such requests. */
  z.object({ kind: z.literal('unsupported') }),
  z.object({ kind: z.literal('silent') }),
  z.object({ kind: z.literal('replied'), reply: modelReply }),
])
export type ModelAnswer = z.infer<typeof modelAnswer>
const answer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('view'), view }),
  z.object({ kind: z.literal('waiting'), jobs: listOf(waiting), forecasts: listOf(forecast) }),
  z.object({ kind: z.literal('ask-model'), answer: modelAnswer }),
])
export type Answer = z.infer<typeof answer>

/** For the desk of one organization. */
export const DESK_SHAPES = {
  ask: z.object({ organization, ask }),
  withdraw: z.object({ organization, job: name }),
  answered: z.object({ organization, ...leaseOf }),
  late: z.object({ organization, leases: listOf(z.object(leaseOf)) }),
  /** With `again`, the job wants another slot. */
  settled: z.object({ organization, settlement, ...leaseOf, again: ask.optional() }),
  device: z.object({ organization, device: statement }),
  'device-down': z.object({ organization, ...link }),
  freed: z.object({ organization, ...leaseOf }),
}
const MESSAGE_SHAPES = {
  ...DESK_SHAPES,
  lease: lease.extend({ organization }),
  decline: z.object({ organization, job: name, outcome }),
  start: z.object({ start, request: z.string() }),
  tell: z.object({ ...link, frame: order }),
  /** The device's link is gone: the device had the attempt, or never got it. */
  'attempt-lost': z.object({ ...attempt, wasSent: z.boolean() }),
  'state-wanted': z.object(link),
  superseded: z.object(link),
  'in-use': z.object(link),
  contested: z.object({ ...link, address: name }),
  served: z.object({ organization, models: listOf(name) }),
  /** As of this view, which the lessor may not have heard of yet. */
  stating: z.object({ generation: count }),
  stated: z.object({ generation: count }),
  question: z.object({ id: count, question }),
  answer: z.object({ id: count, answer }),
  watch: z.object({ organization }),
  unwatch: z.object({ organization }),
  changed: z.object({ organization, change: z.enum(['devices', 'models']) }),
}

type MessageOf<Shapes extends Record<string, z.ZodType>> = {
  [Type in keyof Shapes]: { readonly type: Type } & z.infer<Shapes[Type]>
}[keyof Shapes]
export type DeskMessage = MessageOf<typeof DESK_SHAPES>
export type RoleMessage = MessageOf<typeof MESSAGE_SHAPES>
export type Message = JobFrame | RoleMessage
export type LeaseOf = Pick<Lease, 'device' | 'lease'>

/** Throws for anything that is not a message. */
export function readMessage(value: unknown): Message {
  const type = isObject(value) ? value['type'] : undefined
  if (typeof type === 'string' && Object.hasOwn(MESSAGE_SHAPES, type)) {
    const { error } = MESSAGE_SHAPES[type as keyof typeof MESSAGE_SHAPES].safeParse(value)
    if (!error) return value as Message
    throw new Error(`A gateway sent a message "${type}" with an invalid ${error.issues[0]?.path.join('.')}`)
  }
  // The same frames that devices send, with the same limits.
  const frame = isObject(value) ? readDeviceFrame(value) : undefined
  if (frame && isJobFrame(frame)) return frame
  throw new Error('A gateway sent a message of an unknown type')
}

/** How the parts of gateways reach each other: by a call inside this gateway, over a peer link elsewhere. */
export interface Post {
  send: (to: string, message: Message) => void
  isReachable: (gateway: string) => boolean
  /** Nobody hears it while there are no peers: everything is said again when there are. */
  tellLessor: (message: DeskMessage) => void
}
