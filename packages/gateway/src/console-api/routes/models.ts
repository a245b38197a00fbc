// Models that an organization enabled, and models that its devices offer.

import { DOWNLOAD_STATES, FEATURES, MAX_CHAT_TEMPLATE_LENGTH, MAX_SYSTEM_MESSAGE_LENGTH } from '@hearth/protocol'
import { z } from '@hono/zod-openapi'
import { body, routesOf, json } from './route.ts'
import { count, id, modelName, moment, name, object } from './shapes.ts'

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

export const serving = object('Serving', 'A device that is online and serves the model', {
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

export const model = object('Model', {
  name: z.string(),
  state: z
    .enum(['enabled', 'disabled', 'adding', 'offered'])
    .describe(
      'adding means that it becomes enabled when the first device has it; offered, that devices serve it but nobody enabled it',
    ),
  ownedBy: z.string().nullable(),
  createdAt: moment.nullable(),
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
})

export const removeModel = route('delete', '/organizations/{organization}/models', {
  access: 'models.change',
  summary: 'Remove a model. Requests for it get a 403 until it is enabled again',
  request: { query: z.object({ name: modelName }) },
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

export const bothDefaults = z.object({ own: defaults, recommended: defaults })

export const getModelDefaults = route('get', '/organizations/{organization}/models/defaults', {
  access: 'models.read',
  summary: 'Show what requests to a model get where they say nothing',
  request: { query: z.object({ name: modelName }) },
  responses: json(
    "The organization's own settings come first, then what the model's authors recommend. The engine decides the rest",
    bothDefaults,
  ),
})

export const putModelDefaults = route('put', '/organizations/{organization}/models/defaults', {
  access: 'models.change',
  summary: 'Replace what requests to a model get where they say nothing. Devices use it from their next job on',
  request: body(z.strictObject({ name: modelName, defaults })),
})
