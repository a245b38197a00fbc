// Models on the disks of devices: adding, watching and removing them.

import { z } from '@hono/zod-openapi'
import { body, describeRoute, DEVICE_ANSWERS_WITHIN_MS, done, json, WITHIN_FIELD } from './route.ts'
import { count, modelName, modelSource, organizationPath, pathWith } from './shapes.ts'

const tags = ['Models']
const devicePath = pathWith('device')

const confirmedName = modelName.openapi({
  description: 'The name that the look-up gave. A device that means another model is rejected, and nothing is enabled',
})

const found = z
  .object({
    name: z.string().openapi({ description: 'The name that clients use' }),
    source: z.string().openapi({ description: 'The reference with the quantization that the device chose' }),
    bytes: count,
    memoryBytes: count.openapi({ description: 'What it takes in memory, at least' }),
    license: z.string().nullable(),
  })
  .openapi('FoundModel')

const listed = z
  .object({
    name: z.string().openapi({ description: 'The name that clients use, and that a download needs as its source' }),
    aliases: z.array(z.string()),
    title: z.string(),
    maker: z.string(),
    goodAt: z.string(),
    isAllRounder: z.boolean().openapi({ description: "A good choice for someone who doesn't know yet what they need" }),
    license: z.object({ name: z.string(), url: z.string() }),
    contextLength: count.openapi({ description: 'The most tokens that it was trained for' }),
    contextBytesPerToken: count.openapi({ description: 'Memory that each token of the context takes' }),
    parameters: z.number().openapi({ description: 'In billions' }),
    activeParameters: z.number().openapi({ description: 'In billions: those that each token passes through' }),
    bytes: count.openapi({ description: 'Of its smallest file that answers well' }),
  })
  .openapi('ListedModel')

export const listKnownModels = describeRoute({
  access: 'models.read',
  method: 'get',
  path: '/organizations/{organization}/known-models',
  tags,
  operationId: 'listKnownModels',
  summary: 'List well-known open models that devices can download by name, smallest first',
  request: { params: organizationPath },
  responses: json('The models', z.object({ models: z.array(listed) })),
})

export const lookUpModel = describeRoute({
  access: 'models.change',
  method: 'post',
  path: '/organizations/{organization}/devices/{device}/models/look-up',
  tags,
  operationId: 'lookUpModel',
  [WITHIN_FIELD]: DEVICE_ANSWERS_WITHIN_MS,
  summary: 'Find out what a name or reference means on a device, without downloading it',
  request: { params: devicePath, ...body(z.strictObject({ source: modelSource })) },
  responses: json('The model', found),
})

export const startDownload = describeRoute({
  access: 'models.change',
  method: 'post',
  path: '/organizations/{organization}/devices/{device}/downloads',
  tags,
  operationId: 'startDownload',
  [WITHIN_FIELD]: DEVICE_ANSWERS_WITHIN_MS,
  summary: 'Download a model to a device, or resume a download. The model is enabled when the first device has it',
  request: { params: devicePath, ...body(z.strictObject({ source: modelSource, name: confirmedName })) },
  responses: json('The model', found),
})

export const pauseDownload = describeRoute({
  access: 'models.change',
  method: 'post',
  path: '/organizations/{organization}/devices/{device}/downloads/pause',
  tags,
  operationId: 'pauseDownload',
  [WITHIN_FIELD]: DEVICE_ANSWERS_WITHIN_MS,
  summary: 'Pause a download. Start it again to continue where it stopped',
  request: { params: devicePath, ...body(z.strictObject({ model: modelName })) },
  responses: done,
})

export const cancelDownload = describeRoute({
  access: 'models.change',
  method: 'delete',
  path: '/organizations/{organization}/devices/{device}/downloads',
  tags,
  operationId: 'cancelDownload',
  [WITHIN_FIELD]: DEVICE_ANSWERS_WITHIN_MS,
  summary: 'Cancel a download and delete what came so far',
  request: { params: devicePath, query: z.object({ model: modelName }) },
  responses: done,
})

export const deleteModel = describeRoute({
  access: 'models.change',
  method: 'delete',
  path: '/organizations/{organization}/devices/{device}/models',
  tags,
  operationId: 'deleteModel',
  [WITHIN_FIELD]: DEVICE_ANSWERS_WITHIN_MS,
  summary: 'Remove a model from a device. Running answers finish first, for up to two minutes',
  request: { params: devicePath, query: z.object({ model: modelName }) },
  responses: json('How much space is free again', z.object({ freedBytes: count })),
})

export const unblockRequests = describeRoute({
  access: 'models.change',
  method: 'post',
  path: '/organizations/{organization}/devices/{device}/models/unblock',
  tags,
  operationId: 'unblockRequests',
  [WITHIN_FIELD]: DEVICE_ANSWERS_WITHIN_MS,
  summary: 'Let a device accept the requests again that it blocks because they crashed the engine of a model',
  request: { params: devicePath, ...body(z.strictObject({ model: modelName })) },
  responses: done,
})
