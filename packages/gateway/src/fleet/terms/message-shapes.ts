// The shapes of what gateways say to each other, by type. Everyone who has the password of the bus can say something, so a gateway looks at
// messages before it believes them: one that makes no sense must not stop it, now or when it acts on what it heard.

import {
  MAX_MODELS_PER_DEVICE,
  MAX_NAME_LENGTH,
  MAX_SEAL_KEYS,
  MAX_SLOTS_PER_MODEL,
  REQUEST_ID,
  TRACEPARENT,
} from '@hearth/protocol'
import { z } from 'zod'
import type { RoleMessage } from './messages.ts'

/** IDs, names and reasons. */
const name = z.string().max(MAX_NAME_LENGTH)
/** A job avoids few devices: each cost it an attempt. */
const MOST_DEVICES_OF_JOB = 1_000
const count = z.int().nonnegative()
/** Times and tokens: both may be estimates. */
const amount = z.number()
const attempt = { job: name, attempt: count }
const file = z.object({ digest: name, contextLength: count }).optional()

const model = z.looseObject({
  name,
  contextLength: count,
  slots: count.max(MAX_SLOTS_PER_MODEL),
  features: z.array(name),
  digest: name.optional(),
  loadMs: count.optional(),
})
const models = z.array(model).max(MAX_MODELS_PER_DEVICE)

const client = z
  .object({ requestId: z.string().regex(REQUEST_ID).optional(), traceparent: z.string().regex(TRACEPARENT).optional() })
  .optional()
const ticket = z.object({
  job: name,
  client,
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

const names = z.array(name).max(MOST_DEVICES_OF_JOB).optional()
const ask = z.object({
  ticket,
  want: z.enum(['slot', 'second', 'move']),
  isFirst: z.boolean(),
  ageMs: amount,
  waitMs: amount,
  begun: file,
  mustContinue: z.boolean(),
  avoided: names,
  excluded: names,
})
const settlement = z.object({
  key: name,
  model: name,
  tokens: amount,
  kind: z.enum(['ended', 'failed', 'refused', 'unused', 'unreachable', 'lost', 'stopping', 'silent']),
  measured: z.object({ readMs: amount, promptMs: amount, answerMs: amount, tokens: amount.optional() }).optional(),
})
const device = z.object({
  device: name,
  epoch: count,
  edition: count,
  boot: name,
  address: name,
  models,
  isDraining: z.boolean(),
  taken: z.array(z.object({ lease: count, model: name })).max(MAX_MODELS_PER_DEVICE * MAX_SLOTS_PER_MODEL),
})

const leaseOf = { device: name, lease: count }
const retryMs = amount.optional()
const outcome = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('unsupported'), missing: z.array(name) }),
  z.object({ kind: z.literal('queue-full'), scope: z.enum(['key', 'organization']), retryMs }),
  z.object({ kind: z.literal('no-device'), retryMs }),
])

const modelAsk = z.looseObject({
  type: z.enum(['model-look-up', 'model-fetch', 'model-pause', 'model-cancel', 'model-remove', 'model-unblock']),
  by: z.string(),
})
const question = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('view'), organization: name, after: name.optional() }),
  z.object({ kind: z.literal('waiting'), key: name }),
  z.object({ kind: z.literal('ask-model'), organization: name, device: name, ask: modelAsk }),
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
  ask: z.object({ organization, ask }),
  withdraw: z.object({ organization, job: name }),
  answered: z.object({ organization, ...leaseOf }),
  late: z.object({ organization, leases: z.array(z.object(leaseOf)) }),
  settled: z.object({ organization, settlement, ...leaseOf, again: ask.optional() }),
  device: z.object({ organization, device }),
  'device-down': z.object({ organization, device: name, epoch: count }),
  freed: z.object({ organization, ...leaseOf }),
  lease: z.object({
    organization,
    ...leaseOf,
    job: name,
    want: z.enum(['slot', 'second', 'move']),
    epoch: count,
    edition: count,
    home: name,
    file,
    isContinued: z.boolean(),
    isLate: z.boolean(),
    waitMs: amount.optional(),
    expectedMs: amount.optional(),
  }),
  decline: z.object({ organization, job: name, outcome }),
  start: z.object({
    start: z.object({ ...attempt, ...leaseOf, epoch: count, edition: count, organization, model: name, client }),
    request: z.string(),
  }),
  tell: z.object({ device: name, epoch: count, frame: order }),
  'attempt-lost': z.object({ ...attempt, wasSent: z.boolean() }),
  'state-wanted': z.object({ device: name, epoch: count }),
  superseded: z.object({ device: name, epoch: count }),
  'in-use': z.object({ device: name, epoch: count }),
  contested: z.object({ device: name, epoch: count, address: name }),
  served: z.object({ organization, models: z.array(name) }),
  stating: z.object({ generation: count }),
  stated: z.object({ generation: count }),
  question: z.object({ id: count, question }),
  answer: z.object({ id: count, answer }),
  watch: z.object({ organization }),
  unwatch: z.object({ organization }),
  changed: z.object({ organization, change: z.enum(['devices', 'models']) }),
}
