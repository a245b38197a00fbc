import { plainSource, type ModelReply } from '@hearth/protocol'
import { ApiError } from '@hearth/chat'
import {
  actorOf,
  changeIn,
  organizationOf,
  takeEffect,
  type ConsoleApp,
  type ConsoleContext,
  type ConsoleParts,
} from '../console.ts'
import * as routes from '../routes/model-downloads.ts'
import { show } from '../routes/show.ts'
import { factsOf, MODEL_LIST, type ListedModel } from '@hearth/model-list'
import type { ModelAnswer, ModelAsk } from '../../fleet/fleet.ts'
import type { Device } from '../../store/devices/device-rows.ts'
import { findDevice } from '../inventory/inventory.ts'

export function addModelDownloads(app: ConsoleApp, parts: ConsoleParts): void {
  addDownloads(app, parts)
  addFileChanges(app, parts)
}

function addDownloads(app: ConsoleApp, parts: ConsoleParts): void {
  app.openapi(routes.listKnownModels, (context) => context.json({ models: showKnownModels() }, 200))

  app.openapi(routes.lookUpModel, async (context) => {
    const { source } = context.req.valid('json')
    const device = await findDevice(parts, context)
    const reply = await askDevice(parts, context, device, { type: 'model-look-up', source })
    // Older apps answer with a model only.
    if (reply.found === undefined && reply.hits === undefined) throw withoutModel()
    return context.json(show(routes.lookedUp, { found: reply.found, hits: reply.hits ?? [] }), 200)
  })

  app.openapi(routes.startDownload, async (context) => {
    const { source, name } = context.req.valid('json')
    const device = await findDevice(parts, context)
    const found = showFound(await askDevice(parts, context, device, { type: 'model-fetch', source }))
    // A device could name any model of the organization.
    if (found.name !== name) throw new ApiError('device_refused', describeOtherName(device.name, found.name, name))
    // The audit log is for everyone who may read it, and an address may carry a secret.
    await rememberAdded(parts, context, { name, device: device.name, source: plainSource(source) })
    return context.json(found, 200)
  })
}

function addFileChanges(app: ConsoleApp, parts: ConsoleParts): void {
  app.openapi(routes.pauseDownload, async (context) => {
    await askAbout(parts, context, context.req.valid('json').model, 'pause')
    return context.body(null, 204)
  })

  app.openapi(routes.cancelDownload, async (context) => {
    const { model } = context.req.valid('query')
    await askAbout(parts, context, model, 'cancel')
    await forgetUnlessWanted(parts, context, { name: model, device: context.req.valid('param').device })
    return context.body(null, 204)
  })

  app.openapi(routes.deleteModel, async (context) => {
    const { freedBytes = 0 } = await askAbout(parts, context, context.req.valid('query').model, 'delete')
    return context.json({ freedBytes }, 200)
  })

  app.openapi(routes.unblockRequests, async (context) => {
    await askAbout(parts, context, context.req.valid('json').model, 'unblock')
    return context.body(null, 204)
  })
}

const ASKS = { pause: 'model-pause', cancel: 'model-cancel', delete: 'model-remove', unblock: 'model-unblock' } as const

/** Asks the device for a change of a model that it has, and records it. */
async function askAbout(parts: ConsoleParts, context: ConsoleContext, name: string, action: keyof typeof ASKS) {
  const device = await findDevice(parts, context)
  const reply = await askDevice(parts, context, device, { type: ASKS[action], model: name })
  await parts.store.recordModelRequest({ ...changeIn(context), name, device: device.name, action })
  return reply
}

function showFound({ found }: ModelReply) {
  if (found === undefined) throw withoutModel()
  return show(routes.found, found)
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

// Well-known open models, as the console offers them.
function showKnownModels() {
  return MODEL_LIST.map(showModel).toSorted((one, other) => one.bytes - other.bytes)
}

function showModel(model: ListedModel) {
  const { aliases, title, maker, goodAt, license, contextLength, isAllRounder = false } = model
  return { ...factsOf(model), aliases: [...aliases], title, maker, goodAt, isAllRounder, license, contextLength }
}

/** Asks a device for something about its models, on behalf of a person. Throws unless it did what was asked. */
async function askDevice(
  { fleet }: ConsoleParts,
  context: ConsoleContext,
  device: Device,
  request: ModelAskWithoutName,
): Promise<ModelReply> {
  const by = actorOf(context).name
  const answer = await fleet.askModel(organizationOf(context), device.id, { ...request, by })
  if (answer.kind !== 'replied' || answer.reply.problem !== undefined)
    throw new ApiError(codeOf(answer), describeRejection(device.name, answer))
  return answer.reply
}

/** Another device may reach the hub. */
function codeOf(answer: ModelAnswer): 'hub_unreachable' | 'device_refused' {
  const isHub = answer.kind === 'replied' && answer.reply.problem?.code === 'unreachable'
  return isHub ? 'hub_unreachable' : 'device_refused'
}

type ModelAskWithoutName = ModelAsk extends infer Ask ? (Ask extends unknown ? Omit<Ask, 'by'> : never) : never

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
