// The shapes of what gateways say to each other, by type. Everyone who has the password of the bus can say something, so a gateway looks at
// messages before it believes them: one that makes no sense must not stop it, now or when it acts on what it heard.

import { MAX_MODELS_PER_DEVICE, MAX_NAME_LENGTH, MAX_SEAL_KEYS, MAX_SLOTS_PER_MODEL } from '@hearth/protocol'
import { z } from 'zod'
import type { RoleMessage } from './messages.ts'

/** IDs, names and reasons. */
const name = z.string().max(MAX_NAME_LENGTH)
const count = z.int().nonnegative()
/** Times and tokens: both may be estimates. */
const amount = z.number()
const attempt = { job: name, attempt: count }
const reporter = z.object({ device: name, epoch: count, ...attempt })
const file = z.object({ digest: name, contextLength: count }).optional()
const course = z.object({ losses: count, crashes: count, begun: file, begunTokens: amount })

const model = z.looseObject({
  name,
  contextLength: count,
  slots: count.max(MAX_SLOTS_PER_MODEL),
  features: z.array(name),
  digest: name.optional(),
  loadMs: count.optional(),
})
const models = z.array(model).max(MAX_MODELS_PER_DEVICE)

const ticket = z.object({
  job: name,
  organization: name,
  key: name,
  model: name,
  features: z.array(name),
  sealedFor: z.array(name).max(MAX_SEAL_KEYS).optional(),
  rerunnable: z.boolean(),
  cost: amount,
  answerLimit: count.optional(),
  promptSize: count,
  prefixes: z.array(z.object({ hash: z.number(), size: count })),
})

const run = z.object({
  acceptedMsAgo: amount,
  isLoading: z.boolean(),
  nextSequence: count,
  promptTokens: amount.optional(),
  deliveredTokens: amount,
})
const held = z.object({ attempt: count, device: name, epoch: count, file, run: run.optional(), isLost: z.boolean() })
const job = z.object({
  ticket,
  requestBytes: count,
  ageMs: amount,
  startedMsAgo: amount.optional(),
  attempt: count,
  course,
  hasShown: z.boolean(),
  isRecordable: z.boolean(),
  held: held.optional(),
  edition: count,
})
const device = z.object({
  device: name,
  epoch: count,
  boot: name,
  address: name,
  models,
  isDraining: z.boolean(),
  open: z.array(z.object({ ...attempt, model: name })),
})

const error = z.object({ code: name, message: z.string(), param: name.optional() })
const bare = z.object({
  kind: z.enum(['accepted', 'loading', 'delivered', 'hand-over', 'faulted', 'over', 'unrecordable', 'unknown']),
})
const report = z.discriminatedUnion('kind', [
  bare,
  z.object({ kind: z.literal('refused'), reason: name }),
  z.object({ kind: z.literal('progress'), promptTokens: amount.optional() }),
  z.object({ kind: z.literal('ended'), tokens: z.object({ prompt: amount, completion: amount }).optional() }),
  z.object({
    kind: z.literal('failed'),
    failure: z.object({ retryable: z.boolean(), crashed: z.boolean(), error }),
  }),
])
const delivered = z.object({ nextSequence: count, tokens: amount, isShown: z.boolean() }).optional()

const retryMs = amount.optional()
const outcome = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['model-disabled', 'key-revoked', 'device-lost', 'crashed', 'shutdown']) }),
  z.object({ kind: z.literal('unsupported'), missing: z.array(name) }),
  z.object({ kind: z.literal('queue-full'), scope: z.enum(['key', 'organization']), retryMs }),
  z.object({ kind: z.literal('no-device'), retryMs }),
  z.object({ kind: z.literal('refused-by-device'), error }),
  z.object({ kind: z.literal('out-of-memory'), full: z.enum(['key', 'organization', 'process']) }),
  z.object({ kind: z.literal('timed-out'), limit: z.enum(['first-event', 'gap', 'total']) }),
])

const ask = z.looseObject({
  type: z.enum(['model-look-up', 'model-fetch', 'model-pause', 'model-cancel', 'model-remove', 'model-unblock']),
  by: z.string(),
})
const question = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('view'), organization: name, after: name.optional() }),
  z.object({ kind: z.literal('waiting'), key: name }),
  z.object({ kind: z.literal('ask-model'), organization: name, device: name, ask }),
])

const seen = z.looseObject({
  id: name,
  state: z.enum(['linked', 'draining']),
  app: name,
  engine: name,
  models,
  downloads: z.array(z.looseObject({ model: z.string(), doneBytes: count })),
  backend: z.looseObject({ name, problems: z.array(z.looseObject({ name: z.string() })) }).optional(),
  rest: z.looseObject({ reason: name }).optional(),
  energy: z.looseObject({ parts: z.array(name), watts: amount, wattHoursToday: amount }).optional(),
  library: z.looseObject({ isOpen: z.boolean(), models: z.array(z.looseObject({ name: z.string() })) }).optional(),
  machine: z.looseObject({}).optional(),
  sealKey: name.optional(),
  address: name,
  conflict: z.looseObject({ address: name, at: z.iso.datetime() }).optional(),
  latencyMs: z.number().optional(),
})
const view = z.object({
  devices: z.array(z.object({ epoch: count, device: seen })),
  queued: z.array(z.tuple([name, count])),
  running: z.array(z.object({ device: name, model: name, leases: count })),
  next: name.optional(),
})
const progress = z.object({ phase: name, done: count.optional(), total: count.optional() }).optional()
const answer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('view'), view }),
  z.object({
    kind: z.literal('waiting'),
    jobs: z.array(z.object({ job: name, model: name, device: name.optional(), progress, ageMs: amount })),
    forecasts: z.array(z.object({ job: name, place: count.optional(), firstEventMs: amount.optional() })),
  }),
  z.object({
    kind: z.literal('ask-model'),
    answer: z.discriminatedUnion('kind', [
      z.object({ kind: z.enum(['gone', 'unsupported', 'silent']) }),
      z.object({ kind: z.literal('replied'), reply: z.looseObject({ type: z.literal('model-reply') }) }),
    ]),
  }),
])

const organization = name
const order = z.object({ ...attempt, type: z.enum(['job-cancel', 'job-pause', 'job-resume']) }).loose()

export const MESSAGE_SHAPES: Record<RoleMessage['type'], z.ZodType> = {
  submit: z.object({ organization, ticket, requestBytes: count }),
  cancel: z.object({ organization, job: name, reason: name }),
  report: z.object({ organization, from: reporter, report, delivered }),
  restate: z.object({ organization, job }),
  device: z.object({ organization, device }),
  'device-down': z.object({ organization, device: name, epoch: count }),
  released: z.object({ organization, from: reporter }),
  'model-closed': z.object({ organization, model: name }),
  grant: z.object({
    organization,
    to: reporter,
    home: name,
    file,
    isSecond: z.boolean(),
    course,
    expectedMs: amount.optional(),
    edition: count,
  }),
  stop: z.object({ of: reporter, reason: name }),
  finish: z.object({ organization, job: name, outcome, attempt: count.optional() }),
  'restate-wanted': z.object({ job: name }),
  start: z.object({ of: reporter, model: name, request: z.string() }),
  tell: z.object({ of: reporter, frame: order }),
  'attempt-lost': z.object(attempt),
  'released-wanted': z.object({ of: reporter }),
  superseded: z.object({ device: name, epoch: count }),
  'in-use': z.object({ device: name, epoch: count }),
  contested: z.object({ device: name, epoch: count, address: name }),
  served: z.object({ organization, models: z.array(name) }),
  statement: z.object({
    generation: count,
    statement: z.object({ organization, jobs: z.array(job), devices: z.array(device) }),
  }),
  stated: z.object({ generation: count, isAll: z.boolean() }),
  ask: z.object({ id: count, question }),
  answer: z.object({ id: count, answer }),
  watch: z.object({ organization }),
  unwatch: z.object({ organization }),
  changed: z.object({ organization, change: z.enum(['devices', 'models']) }),
}
