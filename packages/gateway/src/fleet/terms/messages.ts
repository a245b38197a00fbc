// Everything that gateways say to each other: the table of messages, with the shape of each. Inside a gateway, the same is a
// call of `ports/`, where each is explained.
//
// A job        jobs → scheduler   slot-request, withdraw   a slot is wanted, or no longer; never the prompt
//              scheduler → jobs   lease                    a slot of a device, and the gateway that is its hub
//              scheduler → jobs   decline                  there is none for this job
//              jobs → hub         start                    with the request and the lease
//              hub → jobs         job frames, as they came; attempt-lost when the device's link is gone
//              jobs → hub         order                    job-cancel, job-pause, job-resume
//              jobs → scheduler   accepted, late           the device has accepted the job, or takes long
//              jobs → scheduler   settled                  what the lease took, and whether another is wanted
// Devices      hub → scheduler    slot-report, device-down what a device offers and which leases take its slots
//              hub → scheduler    freed                    the slot of a lease is free
//              scheduler → hub    report-wanted            report again: leases that are on their way are void
//              scheduler → hub    superseded               the device has a newer link elsewhere
//              scheduler → hub    in-use, contested        another machine has the device's credential
//              scheduler → all    served                   the models of an organization that take jobs
// Rebalancing  all → scheduler    sync-started, sync-done  what waits and which slots are taken follows, and was all
// Console      question, answer, watch, unwatch, changed
//
// Everyone who has the password of the bus can say something, so a gateway looks at messages before it believes them: one
// that makes no sense must not stop it, now or when it acts on what it heard.

import {
  MAX_MODELS_PER_DEVICE,
  MAX_SLOTS,
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
import { amount, client, lease, listOf, settlement, shortText, slotRequest, wholeNumber, type Lease } from './job.ts'

/** Gateways that use another version are left out. Change it when a message changes in a way that older gateways misread. */
export const MESSAGES_VERSION = '8'

const organization = shortText
const attempt = { job: shortText, attempt: wholeNumber }
/** A lease, and the device that it is for. */
const leaseOf = { device: shortText, lease: wholeNumber }
const link = { device: shortText, epoch: wholeNumber }

const models = listOf(
  z.looseObject({
    name: shortText,
    contextLength: wholeNumber,
    slots: wholeNumber.max(MAX_SLOTS),
    features: listOf(shortText),
    digest: shortText.optional(),
    loadMs: wholeNumber.optional(),
  }) as z.ZodType as z.ZodType<DeviceModel>,
  MAX_MODELS_PER_DEVICE,
)

/** A device as its hub knows it. */
const slotReport = z.object({
  ...link,
  /** Grows when the hub reports anew: leases that are not in `taken` and based on an earlier edition are void. */
  edition: wholeNumber,
  /** Of the device app: one for each start. */
  boot: shortText,
  address: shortText,
  /** None while it is paused. */
  models,
  isDraining: z.boolean(),
  taken: listOf(z.object({ lease: wholeNumber, model: shortText }), MAX_MODELS_PER_DEVICE * MAX_SLOTS),
})
export type SlotReport = z.infer<typeof slotReport>

const retryMs = amount.optional()
const outcome = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('unsupported'), missing: listOf(shortText) }),
  z.object({ kind: z.literal('queue-full'), scope: z.enum(['key', 'organization']), retryMs }),
  /** Its time is over. */
  z.object({ kind: z.literal('no-device'), retryMs }),
  z.object({
    kind: z.literal('budget-used'),
    holder: z.enum(['key', 'member', 'organization']),
    tokensPerMonth: wholeNumber,
    /** The last moment that a date can be. */
    renewsAt: wholeNumber.max(8.64e15),
  }),
]) as z.ZodType as z.ZodType<Declined>
export type Declined = Extract<Failed, { kind: 'unsupported' | 'queue-full' | 'no-device' | 'budget-used' }>

/** One attempt of a job on a leased slot. */
const start = z.object({
  ...attempt,
  ...leaseOf,
  epoch: wholeNumber,
  edition: wholeNumber,
  organization,
  model: shortText,
  client: client.optional(),
})
export type Start = z.infer<typeof start>

const order = z
  .object({ ...attempt, type: z.enum(['job-cancel', 'job-pause', 'job-resume']) })
  .loose() as z.ZodType as z.ZodType<JobOrder>
export type JobOrder = JobAttempt &
  ({ type: 'job-cancel'; reason: CancelReason } | { type: 'job-pause' } | { type: 'job-resume' })

/** A request to a device about its models, without its number. */
export type ModelRequest = DistributiveOmit<ModelRequestFrame, 'request'>
type DistributiveOmit<Union, Key extends PropertyKey> = Union extends unknown ? Omit<Union, Key> : never
const modelRequest = z.looseObject({
  type: z.enum([
    'model-look-up',
    'model-fetch',
    'model-pause',
    'model-cancel',
    'model-remove',
    'model-unblock',
    'server-add',
  ]),
  by: z.string(),
}) as z.ZodType as z.ZodType<ModelRequest>
const question = z.discriminatedUnion('kind', [
  /** With `after`, a page of it: the devices with higher ids than this. Without, all at once. */
  z.object({ kind: z.literal('view'), organization, after: shortText.optional() }),
  z.object({ kind: z.literal('waiting'), key: shortText }),
  z.object({ kind: z.literal('model-request'), organization, device: shortText, request: modelRequest }),
])
export type Question = z.infer<typeof question>

const seen = z.looseObject({
  id: shortText,
  state: z.enum(['linked', 'draining']),
  app: shortText,
  engine: shortText,
  models,
  downloads: listOf(z.looseObject({ model: z.string(), doneBytes: wholeNumber })),
  backend: z.looseObject({ name: shortText, problems: listOf(z.looseObject({ name: z.string() })) }).optional(),
  rest: z.looseObject({ reason: shortText }).optional(),
  energy: z.looseObject({ parts: listOf(shortText), watts: amount, wattHoursToday: amount }).optional(),
  library: z.looseObject({ isOpen: z.boolean(), models: listOf(z.looseObject({ name: z.string() })) }).optional(),
  machine: z.looseObject({}).optional(),
  sealKey: shortText.optional(),
  address: shortText,
  conflict: z.looseObject({ address: shortText, at: z.iso.datetime() }).optional(),
  latencyMs: z.number().optional(),
}) as z.ZodType as z.ZodType<FleetDevice>
/** One gateway's part of the view of an organization. */
const view = z.object({
  devices: listOf(z.object({ epoch: wholeNumber, device: seen })),
  queued: listOf(z.tuple([shortText, wholeNumber])),
  running: listOf(z.object({ device: shortText, model: shortText, leases: wholeNumber })),
  /** The last device of a page that is followed by another. */
  next: shortText.optional(),
})
export type ViewPart = z.infer<typeof view>

/** Counts are tokens, and there only while the device reads the prompt. */
const progress = z.object({
  phase: shortText as z.ZodType<string> as z.ZodType<ProgressPhase>,
  done: wholeNumber.optional(),
  total: wholeNumber.optional(),
})
export type JobProgress = z.infer<typeof progress>
/** A job that has produced nothing yet, as its front knows it. */
const waiting = z.object({
  job: shortText,
  model: shortText,
  /** The device that accepted it. Undefined while the job waits for one. */
  device: shortText.optional(),
  /** That device's latest report about it. */
  progress: progress.optional(),
  ageMs: amount,
})
export type FrontWaitingJob = z.infer<typeof waiting>
/** From the scheduler of the job's organization. */
const forecast = z.object({
  job: shortText,
  /** 1 is next; undefined once the job has a device. */
  place: wholeNumber.optional(),
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
  z.object({ kind: z.literal('model-request'), answer: modelAnswer }),
])
export type Answer = z.infer<typeof answer>

const MESSAGE_SHAPES = {
  // For the scheduler of an organization.
  'slot-request': z.object({ organization, request: slotRequest }),
  withdraw: z.object({ organization, job: shortText }),
  accepted: z.object({ organization, ...leaseOf }),
  late: z.object({ organization, leases: listOf(z.object(leaseOf)) }),
  /** With `again`, the job wants another slot. */
  settled: z.object({ organization, settlement, ...leaseOf, again: slotRequest.optional() }),
  'slot-report': z.object({ organization, report: slotReport }),
  'device-down': z.object({ organization, ...link }),
  freed: z.object({ organization, ...leaseOf }),
  /** As of this view, which the scheduler may not have heard of yet. */
  'sync-started': z.object({ generation: wholeNumber }),
  'sync-done': z.object({ generation: wholeNumber }),
  // For the gateway that has a job.
  lease: lease.extend({ organization }),
  decline: z.object({ organization, job: shortText, outcome }),
  'attempt-lost': z.object({ ...attempt, wasSent: z.boolean() }),
  // For the hub of a device.
  start: z.object({ start, request: z.string() }),
  order: z.object({ ...link, frame: order }),
  'report-wanted': z.object(link),
  superseded: z.object(link),
  'in-use': z.object(link),
  contested: z.object({ ...link, address: shortText }),
  // For the console.
  served: z.object({ organization, models: listOf(shortText) }),
  question: z.object({ id: wholeNumber, question }),
  answer: z.object({ id: wholeNumber, answer }),
  watch: z.object({ organization }),
  unwatch: z.object({ organization }),
  changed: z.object({ organization, change: z.enum(['devices', 'models']) }),
}

type MessageOf<Shapes extends Record<string, z.ZodType>> = {
  [Type in keyof Shapes]: { readonly type: Type } & z.infer<Shapes[Type]>
}[keyof Shapes]
export type Message = JobFrame | MessageOf<typeof MESSAGE_SHAPES>
export type LeaseOf = Pick<Lease, 'device' | 'lease'>

/** Throws for anything that is not a message. */
export function readPeerMessage(value: unknown): Message {
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
