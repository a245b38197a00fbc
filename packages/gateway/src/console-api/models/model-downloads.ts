// Models on the disks of devices: adding, watching and removing them.

import { ApiError } from '@hearth/chat'
import { factsOf, MODEL_LIST, type ListedModel } from '@hearth/model-list'
import { plainSource, type ModelReply } from '@hearth/protocol'
import { z } from '@hono/zod-openapi'
import type { ModelAnswer, ModelRequest } from '../../fleet/fleet.ts'
import type { Device } from '../../store/devices/device-rows.ts'
import { actorOf, changeIn, organizationOf, takeEffect, type ConsoleContext, type ConsoleParts } from '../console.ts'
import { deviceOfPath } from '../inventory/inventory.ts'
import { body, routesOf, DEVICE_ANSWERS_WITHIN_MS, json, WITHIN_FIELD } from '../routes/route.ts'
import { count, modelName, modelSource, object } from '../routes/shapes.ts'

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

const found = object('FoundModel', {
  name: z.string().describe('The name that clients use'),
  source: z.string().describe('The reference with the quantization that the device chose'),
  bytes: count,
  memoryBytes: count.describe('What it takes in memory, at least'),
  license: z.string().nullable(),
  quantizations: z.array(quantization).nullable().describe('Smallest first; null if there is no choice'),
})

const lookedUp = object('LookedUpModel', 'A model, or what a search on the model hub found', {
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
  handle: () => ({ models: MODEL_LIST.map(describeModel).toSorted((one, other) => one.bytes - other.bytes) }),
})

export const lookUpModel = route('post', '/organizations/{organization}/devices/{device}/models/look-up', {
  access: 'models.change',
  [WITHIN_FIELD]: DEVICE_ANSWERS_WITHIN_MS,
  summary:
    'Ask a device what a name or reference means, or search the model hub from there, without downloading anything',
  request: body(z.strictObject({ source: modelSource.describe('A name, a reference, or words to search for') })),
  responses: json('The model, or those that were found', lookedUp),
  async handle(parts, context, { source }) {
    const device = await deviceOfPath(parts, context)
    const reply = await askDevice(parts, context, device, { type: 'model-look-up', source })
    // Older apps answer with a model only.
    if (reply.found === undefined && reply.hits === undefined) throw withoutModel()
    return { found: reply.found, hits: reply.hits ?? [] }
  },
})

export const startDownload = route('post', '/organizations/{organization}/devices/{device}/downloads', {
  access: 'models.change',
  [WITHIN_FIELD]: DEVICE_ANSWERS_WITHIN_MS,
  summary: 'Download a model to a device, or resume a download. The model is enabled when the first device has it',
  request: body(z.strictObject({ source: modelSource, name: confirmedName })),
  responses: json('The model', found),
  async handle(parts, context, { source, name }) {
    const device = await deviceOfPath(parts, context)
    const { found: model } = await askDevice(parts, context, device, { type: 'model-fetch', source })
    if (model === undefined) throw withoutModel()
    // A device could name any model of the organization.
    if (model.name !== name) throw new ApiError('device_refused', describeOtherName(device.name, model.name, name))
    // The audit log is for everyone who may read it, and an address may carry a secret.
    await rememberAdded(parts, context, { name, device: device.name, source: plainSource(source) })
    return model
  },
})

export const pauseDownload = plainRequest(
  'downloads/pause',
  'pause',
  'Pause a download. Start it again to continue where it stopped',
)

export const cancelDownload = route('delete', '/organizations/{organization}/devices/{device}/downloads', {
  access: 'models.change',
  [WITHIN_FIELD]: DEVICE_ANSWERS_WITHIN_MS,
  summary: 'Cancel a download and delete what came so far',
  request: { query: z.object({ model: modelName }) },
  async handle(parts, context, { model, device }) {
    await askAbout(parts, context, model, 'cancel')
    await forgetUnlessWanted(parts, context, { name: model, device })
  },
})

export const deleteModel = route('delete', '/organizations/{organization}/devices/{device}/models', {
  access: 'models.change',
  [WITHIN_FIELD]: DEVICE_ANSWERS_WITHIN_MS,
  summary: 'Remove a model from a device. Running answers finish first, for up to two minutes',
  request: { query: z.object({ model: modelName }) },
  responses: json('How much space is free again', z.object({ freedBytes: count })),
  async handle(parts, context, { model }) {
    const { freedBytes = 0 } = await askAbout(parts, context, model, 'delete')
    return { freedBytes }
  },
})

export const unblockRequests = plainRequest(
  'models/unblock',
  'unblock',
  'Let a device accept the requests again that it blocks because they crashed the engine of a model',
)

export const serveLocalServer = route('post', '/organizations/{organization}/devices/{device}/servers', {
  access: 'models.change',
  [WITHIN_FIELD]: DEVICE_ANSWERS_WITHIN_MS,
  summary:
    'Have a device serve the models of a local server that runs beside it, such as Ollama. Their names are enabled like any others',
  request: body(z.strictObject({ server: modelSource.describe('The `url` of one in the library of the device') })),
  async handle(parts, context, { server }) {
    const device = await deviceOfPath(parts, context)
    await askDevice(parts, context, device, { type: 'server-add', server })
    const name = plainSource(server)
    await parts.store.recordModelRequest({ ...changeIn(context), name, device: device.name, action: 'serve' })
  },
})

/** Asks the device, and answers with nothing. */
function plainRequest(path: 'downloads/pause' | 'models/unblock', action: 'pause' | 'unblock', summary: string) {
  return route('post', `/organizations/{organization}/devices/{device}/${path}`, {
    access: 'models.change',
    [WITHIN_FIELD]: DEVICE_ANSWERS_WITHIN_MS,
    summary,
    request: body(z.strictObject({ model: modelName })),
    async handle(parts, context, { model }) {
      await askAbout(parts, context, model, action)
    },
  })
}

const ASKS = { pause: 'model-pause', cancel: 'model-cancel', delete: 'model-remove', unblock: 'model-unblock' } as const

/** Asks the device for a change of a model that it has, and records it. */
async function askAbout(parts: ConsoleParts, context: ConsoleContext, name: string, action: keyof typeof ASKS) {
  const device = await deviceOfPath(parts, context)
  const reply = await askDevice(parts, context, device, { type: ASKS[action], model: name })
  await parts.store.recordModelRequest({ ...changeIn(context), name, device: device.name, action })
  return reply
}

function withoutModel(): ApiError {
  return new ApiError('device_refused', 'The device sent an answer without a model.')
}

function describeOtherName(device: string, name: string, confirmed: string): string {
  return `${device} calls this model "${name}", not "${confirmed}". Look it up again to confirm its name.`
}

interface Added {
  name: string
  device: string
  source: string
}

async function rememberAdded(parts: ConsoleParts, context: ConsoleContext, added: Added): Promise<void> {
  const { store, fleet } = parts
  const change = changeIn(context)
  await store.addModel({ ...change, ...added, most: parts.organizationQuota.models })
  // The device may have had the file already, and announced it before it was known to be wanted.
  const { devices } = await fleet.view(change.organization)
  const isServed = devices.some(({ models }) => models.some(({ name }) => name === added.name))
  if (isServed) await store.modelArrived({ ...change, name: added.name })
  await takeEffect(parts)
}

/** A model that was never enabled disappears from the list once nobody is downloading it. */
async function forgetUnlessWanted(
  parts: ConsoleParts,
  context: ConsoleContext,
  cancelled: { name: string; device: string },
): Promise<void> {
  const { devices } = await parts.fleet.view(organizationOf(context))
  const isWanted = devices.some(
    ({ id, downloads }) => id !== cancelled.device && downloads.some(({ model }) => model === cancelled.name),
  )
  if (isWanted) return
  const isDone = await parts.store.forgetAddedModel({ ...changeIn(context), name: cancelled.name })
  if (isDone) await takeEffect(parts)
}

function describeModel(model: ListedModel) {
  const { aliases, title, maker, goodAt, license, contextLength, isAllRounder = false } = model
  return { ...factsOf(model), aliases: [...aliases], title, maker, goodAt, isAllRounder, license, contextLength }
}

/** Asks a device for something about its models, on behalf of a person. Throws unless it did what was asked. */
async function askDevice(
  { fleet }: ConsoleParts,
  context: ConsoleContext,
  device: Device,
  request: AnonymousModelRequest,
): Promise<ModelReply> {
  const by = actorOf(context).name
  const answer = await fleet.sendModelRequest(organizationOf(context), device.id, { ...request, by })
  if (answer.kind !== 'replied' || answer.reply.problem !== undefined)
    throw new ApiError(codeOf(answer), describeRejection(device.name, answer))
  return answer.reply
}

/** Another device may reach the hub. */
function codeOf(answer: ModelAnswer): 'hub_unreachable' | 'device_refused' {
  const isHub = answer.kind === 'replied' && answer.reply.problem?.code === 'unreachable'
  return isHub ? 'hub_unreachable' : 'device_refused'
}

type AnonymousModelRequest = ModelRequest extends infer One ? (One extends unknown ? Omit<One, 'by'> : never) : never

function describeRejection(device: string, answer: ModelAnswer): string {
  switch (answer.kind) {
    case 'gone':
      return `${device} is offline. Start the device app there and try again.`
    case 'unsupported':
      return `The app on ${device} is too old for this. Run hearth-device update there.`
    case 'silent':
      return `${device} did not answer. Try again in a moment.`
    case 'replied': {
      const { message = '', remedy } = answer.reply.problem ?? {}
      return `${device}: ${asSentence(message)}${remedy === undefined ? '' : ` ${asSentence(remedy)}`}`
    }
    default:
      return answer satisfies never
  }
}

function asSentence(text: string): string {
  const start = `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
  return /[.!?…]$/.test(start) ? start : `${start}.`
}
