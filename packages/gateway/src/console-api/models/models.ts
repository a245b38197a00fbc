// Models that an organization enabled, and models that its devices offer.

import { ApiError } from '@hearth/chat'
import { findListedQuant, STARTER_MODEL } from '@hearth/model-list'
import {
  DOWNLOAD_STATES,
  FEATURES,
  MAX_CHAT_TEMPLATE_LENGTH,
  MAX_SYSTEM_MESSAGE_LENGTH,
  type Download,
  type ModelDefaults,
} from '@hearth/protocol'
import { z } from '@hono/zod-openapi'
import { listedDefaults } from '../../access/book/effective-defaults.ts'
import { changeIn, organizationOf, takeEffect } from '../console.ts'
import { notFound, settleChange } from '../guard/guard.ts'
import { sumSlots, takeInventory, type DeviceEntry, type ModelEntry, type ServedEntry } from '../inventory/inventory.ts'
import { body, routesOf, json } from '../routes/route.ts'
import { count, dateTime, id, modelName, name, object } from '../routes/shapes.ts'

const route = routesOf('Models')

export const feature = z.enum(FEATURES).openapi('Feature')

export const sizing = object('Sizing', 'The size that a model got on a device', {
  trainedLength: count.describe('The context length that the model was trained for'),
  cacheType: z.string().describe('How the tokens are stored: f16, or q8_0 to save memory'),
  gpuLayers: count.describe('Layers on the GPU, of `layers` altogether'),
  layers: count,
  why: z.string().describe('Why the context is not longer, in the words of the device'),
})

export const presence = z.enum(['loaded', 'loading', 'loadable']).openapi('Presence', {
  description: 'Whether the device has the model in memory; `loadable` means that it loads it when a request needs it',
})

const serving = object('Serving', 'A device that is online and serves the model', {
  device: id,
  name: z.string(),
  isPaused: z.boolean(),
  takesTemplates: z.boolean().describe("False if the device's owner doesn't allow chat templates from the console"),
  contextLength: count,
  slots: count,
  running: count,
  features: z.array(feature),
  sizing: sizing.nullable().describe("Null if the device's app doesn't say"),
  presence,
  tokensPerSecond: z.number().nullable().describe('Measured on recent answers; null before the first one'),
})

export const download = object('Download', 'A model that a device is downloading', {
  model: z.string(),
  doneBytes: count,
  totalBytes: count.nullable().describe('Null while the size is unknown'),
  state: z.enum(DOWNLOAD_STATES),
  bytesPerSecond: count.nullable(),
  source: z.string().nullable().describe('Where it comes from, to ask for it again'),
  askedBy: z.string().nullable().describe('Who asked for it in the console; null for the owner'),
  problem: z.string().nullable().describe('Why it failed, and what to do'),
})

const onDevice = { device: id, name: z.string().describe('The name of the device') }

const modelDownload = download.extend(onDevice).openapi('ModelDownload')

const copy = object('ModelCopy', 'The file of a model on a device that is online', {
  ...onDevice,
  bytes: count,
  isDeletable: z.boolean().describe('True if removing it deletes the file'),
  isChangeable: z.boolean().describe('True if the device lets administrators remove it'),
})

const model = object('Model', {
  name: z.string(),
  state: z
    .enum(['enabled', 'disabled', 'adding', 'offered'])
    .describe(
      'adding means that it becomes enabled when the first device has it; offered, that devices serve it but nobody enabled it',
    ),
  ownedBy: z.string().nullable(),
  createdAt: dateTime.nullable(),
  contextLength: count.nullable().describe('The largest context length of its devices'),
  features: z.array(feature).describe('Features that at least one of its devices has'),
  slots: count,
  running: count,
  queued: count,
  known: z
    .object({
      title: z.string(),
      parameters: z.number().describe('In billions'),
      goodAt: z.string(),
      isStarter: z.boolean().describe('True for the small model that a new device starts with'),
    })
    .nullable()
    .describe('What is known about a well-known model; null for others'),
  devices: z.array(serving),
  downloads: z.array(modelDownload),
  copies: z.array(copy),
})

export const listModels = route('get', '/organizations/{organization}/models', {
  access: 'models.read',
  summary: 'List enabled, disabled and offered models by name',
  responses: json('The models', z.object({ models: z.array(model) })),
  async handle(parts, context) {
    const { models } = await takeInventory(parts, organizationOf(context))
    return { models: models.map(describeModel) }
  },
})

export const putModel = route('put', '/organizations/{organization}/models', {
  access: 'models.change',
  summary: 'Enable or disable a model, or change its owner. You can enable any name, even if no device offers it yet',
  request: body(
    z.strictObject({
      name: modelName,
      state: z.enum(['enabled', 'disabled']),
      ownedBy: name.optional().describe('API clients see this as owned_by. Default: the organization'),
    }),
  ),
  async handle(parts, context, { name: model, state, ownedBy }) {
    const { store, organizationQuota } = parts
    const change = { ...changeIn(context), name: model, ...(ownedBy && { ownedBy }) }
    if (state === 'disabled') return settleChange(parts, 'model', await store.disableModel(change))
    await store.enableModel({ ...change, most: organizationQuota.models })
    return takeEffect(parts)
  },
})

export const removeModel = route('delete', '/organizations/{organization}/models', {
  access: 'models.change',
  summary: 'Remove a model. Requests for it get a 403 until it is enabled again',
  request: { query: z.object({ name: modelName }) },
  async handle(parts, context, input) {
    await settleChange(parts, 'model', await parts.store.removeModel({ ...changeIn(context), name: input.name }))
  },
})

const LOCAL_SERVERS_IGNORE_IT = 'Local servers have their own'
const penalty = z.number().min(-2).max(2).nullable()
/** For the fields that a request leaves out. */
const defaults = z
  .strictObject({
    temperature: z.number().min(0).max(2).nullable(),
    topP: z.number().min(0).max(1).nullable(),
    maxTokens: z.int().min(1).max(1_000_000).nullable(),
    frequencyPenalty: penalty,
    presencePenalty: penalty,
    topK: z.int().min(1).max(1_000_000).nullable().openapi({ description: LOCAL_SERVERS_IGNORE_IT }),
    minP: z.number().min(0).max(1).nullable().openapi({ description: LOCAL_SERVERS_IGNORE_IT }),
    repeatPenalty: z.number().min(0.1).max(2).nullable().openapi({ description: LOCAL_SERVERS_IGNORE_IT }),
    systemMessage: z
      .string()
      .min(1)
      .max(MAX_SYSTEM_MESSAGE_LENGTH)
      .nullable()
      .describe('For conversations without a system or developer message'),
    chatTemplate: z
      .string()
      .min(1)
      .max(MAX_CHAT_TEMPLATE_LENGTH)
      .nullable()
      .describe("Replaces the template in the model's file (Jinja). Local servers keep their own"),
  })
  .openapi('ModelDefaults', { description: "Null means that nothing is set. A request's own fields always win" })

export const getModelDefaults = route('get', '/organizations/{organization}/models/defaults', {
  access: 'models.read',
  summary: 'Show what requests to a model get where they say nothing',
  request: { query: z.object({ name: modelName }) },
  responses: json(
    "The organization's own settings come first, then what the model's authors recommend. The engine decides the rest",
    z.object({ own: defaults, recommended: defaults }),
  ),
  async handle({ store }, context, input) {
    const models = await store.listModels(organizationOf(context))
    const found = models.find((one) => one.name === input.name)
    if (!found) throw notFound('model')
    return { own: found.defaults ?? {}, recommended: listedDefaults(input.name) }
  },
})

export const putModelDefaults = route('put', '/organizations/{organization}/models/defaults', {
  access: 'models.change',
  summary: 'Replace what requests to a model get where they say nothing. Devices use it from their next job on',
  request: body(z.strictObject({ name: modelName, defaults })),
  async handle(parts, context, { name: model, defaults: { chatTemplate, ...others } }) {
    const change = { ...changeIn(context), name: model, defaults: readDefaults({ chatTemplate, ...others }) }
    if (chatTemplate !== null) rejectBad(await parts.templateChecks.check(change.organization, chatTemplate))
    await settleChange(parts, 'model', await parts.store.setModelDefaults(change))
  },
})

function describeModel({ name, state, model, queued, devices, downloads, copies }: ModelEntry) {
  const served = devices.map((one) => one.served)
  const has = new Set(served.flatMap(({ features }) => features))
  return {
    name,
    state,
    ownedBy: model?.ownedBy,
    createdAt: model?.createdAt,
    contextLength: served.length === 0 ? null : Math.max(...served.map(({ contextLength }) => contextLength)),
    features: FEATURES.filter((feature) => has.has(feature)),
    ...sumSlots(served),
    queued,
    known: showKnown(name),
    devices: devices.map(({ device, served: one }) => ({
      ...describeServed(one),
      ...nameDevice(device),
      isPaused: device.isPaused,
      // Older apps don't say so, and use every template.
      takesTemplates: device.library?.takesTemplates ?? true,
    })),
    downloads: downloads.map(({ device, download }) => ({ ...describeDownload(download), ...nameDevice(device) })),
    copies: copies.map(({ device, kept: { bytes, isDeletable = false } }) => ({
      ...nameDevice(device),
      bytes,
      isDeletable,
      isChangeable: device.library?.isOpen ?? false,
    })),
  }
}

function showKnown(name: string) {
  const listed = findListedQuant(name)?.model
  if (listed === undefined) return null
  const { title, parameters, goodAt } = listed
  return { title, parameters, goodAt, isStarter: listed === STARTER_MODEL }
}

function nameDevice({ id, name }: DeviceEntry) {
  return { device: id, name }
}

export function describeDownload(download: Download) {
  return { ...download, state: download.state ?? 'downloading', askedBy: download.by }
}

export function describeServed(served: ServedEntry) {
  return { ...served, presence: served.state ?? 'loaded' }
}

function rejectBad(problem: string | undefined): void {
  if (problem !== undefined)
    throw new ApiError('invalid_value', `Invalid 'chatTemplate': ${problem}`, 'defaults.chatTemplate')
}

type Nullable<Values> = { [Name in keyof Values]-?: Exclude<Values[Name], undefined> | null }

function readDefaults(defaults: Nullable<ModelDefaults>): ModelDefaults {
  return Object.fromEntries(Object.entries(defaults).filter(([, value]) => value !== null))
}
