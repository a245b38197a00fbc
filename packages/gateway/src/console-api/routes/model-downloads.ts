// Models on the disks of devices: adding, watching and removing them.

import { z } from '@hono/zod-openapi'
import { body, routesOf, DEVICE_ANSWERS_WITHIN_MS, json, WITHIN_FIELD } from './route.ts'
import { count, modelName, modelSource, object } from './shapes.ts'

const route = routesOf('Models')

const confirmedName = modelName.describe(
  'The name that the look-up gave. A device that means another model is rejected, and nothing is enabled',
)

const quantization = object('Quantization', 'One size of a model', {
  quant: z.string().describe('Such as Q4_K_M'),
  name: z.string().describe('The name that clients use'),
  source: z.string().describe('The reference that a download needs'),
  bytes: count,
})

export const found = object('FoundModel', {
  name: z.string().describe('The name that clients use'),
  source: z.string().describe('The reference with the quantization that the device chose'),
  bytes: count,
  memoryBytes: count.describe('What it takes in memory, at least'),
  license: z.string().nullable(),
  quantizations: z.array(quantization).nullable().describe('Smallest first; null if there is no choice'),
})

export const lookedUp = object('LookedUpModel', 'A model, or what a search on the model hub found', {
  found: found.nullable().describe('Null if the text is not a reference'),
  hits: z.array(
    z.object({
      source: z.string().describe('The reference to look it up by'),
      downloads: count.describe('How often the hub counted it lately'),
      license: z.string().nullable(),
    }),
  ),
})

const listed = object('ListedModel', {
  name: z.string().describe('The name that clients use, and that a download needs as its source'),
  aliases: z.array(z.string()),
  title: z.string(),
  maker: z.string(),
  goodAt: z.string(),
  isAllRounder: z.boolean().describe("A good choice for someone who doesn't know yet what they need"),
  license: z.object({ name: z.string(), url: z.string() }),
  contextLength: count.describe('The most tokens that it was trained for'),
  contextBytesPerToken: count.describe('Memory that each token of the context takes'),
  parameters: z.number().describe('In billions'),
  activeParameters: z.number().describe('In billions: those that each token passes through'),
  bytes: count.describe('Of its smallest file that answers well'),
})

export const listKnownModels = route('get', '/organizations/{organization}/known-models', {
  access: 'models.read',
  summary: 'List well-known open models that devices can download by name, smallest first',
  responses: json('The models', z.object({ models: z.array(listed) })),
})

export const lookUpModel = route('post', '/organizations/{organization}/devices/{device}/models/look-up', {
  access: 'models.change',
  [WITHIN_FIELD]: DEVICE_ANSWERS_WITHIN_MS,
  summary:
    'Ask a device what a name or reference means, or search the model hub from there, without downloading anything',
  request: body(z.strictObject({ source: modelSource.describe('A name, a reference, or words to search for') })),
  responses: json('The model, or those that were found', lookedUp),
})

export const startDownload = route('post', '/organizations/{organization}/devices/{device}/downloads', {
  access: 'models.change',
  [WITHIN_FIELD]: DEVICE_ANSWERS_WITHIN_MS,
  summary: 'Download a model to a device, or resume a download. The model is enabled when the first device has it',
  request: body(z.strictObject({ source: modelSource, name: confirmedName })),
  responses: json('The model', found),
})

export const pauseDownload = route('post', '/organizations/{organization}/devices/{device}/downloads/pause', {
  access: 'models.change',
  [WITHIN_FIELD]: DEVICE_ANSWERS_WITHIN_MS,
  summary: 'Pause a download. Start it again to continue where it stopped',
  request: body(z.strictObject({ model: modelName })),
})

export const cancelDownload = route('delete', '/organizations/{organization}/devices/{device}/downloads', {
  access: 'models.change',
  [WITHIN_FIELD]: DEVICE_ANSWERS_WITHIN_MS,
  summary: 'Cancel a download and delete what came so far',
  request: { query: z.object({ model: modelName }) },
})

export const deleteModel = route('delete', '/organizations/{organization}/devices/{device}/models', {
  access: 'models.change',
  [WITHIN_FIELD]: DEVICE_ANSWERS_WITHIN_MS,
  summary: 'Remove a model from a device. Running answers finish first, for up to two minutes',
  request: { query: z.object({ model: modelName }) },
  responses: json('How much space is free again', z.object({ freedBytes: count })),
})

export const unblockRequests = route('post', '/organizations/{organization}/devices/{device}/models/unblock', {
  access: 'models.change',
  [WITHIN_FIELD]: DEVICE_ANSWERS_WITHIN_MS,
  summary: 'Let a device accept the requests again that it blocks because they crashed the engine of a model',
  request: body(z.strictObject({ model: modelName })),
})
