// Says why no text has arrived yet, as far as the gateway knows.

import type { Schemas } from '../../../api/client.ts'
import { formatCount, formatOrdinal, formatRough, plural } from '../../../lib/format.ts'
import { isServed, type Model } from '../models/chosen-model.ts'

export type WaitingRequest = Schemas['WaitingRequest']
type Device = Schemas['Device']

export function describeWait(model: Model | undefined, request: WaitingRequest | undefined): string {
  if (request === undefined) return describeQueue(model)
  switch (request.state) {
    case 'queued':
      return describeQueue(model, request)
    case 'starting':
      return `Starting on ${nameOf(request)}${aboutOf(request)}…`
    case 'loading':
      return `Loading the model on ${nameOf(request)}${aboutOf(request)}. The first request after a break takes longer.`
    case 'prompt':
      return `Reading the prompt on ${nameOf(request)}${progressOf(request)}`
    case 'reasoning':
      return `Thinking on ${nameOf(request)}…`
    case 'searching':
      return `Searching the web on ${nameOf(request)}…`
    default:
      return request.state satisfies never
  }
}

/** Why a response has stopped growing. `device` is the one that began it, if it is known. */
export function describeStall(model: Model | undefined, device: Pick<Device, 'id' | 'name'> | undefined): string {
  const isThere = model?.devices.some((one) => one.device === device?.id) ?? true
  if (device === undefined || isThere)
    return `No new text from ${device?.name ?? 'the device'}. If it went away, another device continues…`
  return model !== undefined && isServed(model)
    ? `${device.name} stopped answering. Looking for another device…`
    : `${device.name} stopped answering, and no other device serves this model. The response continues if one comes back soon.`
}

function describeQueue(model: Model | undefined, request?: WaitingRequest): string {
  if (model === undefined) return 'Sending the request…'
  if (!isServed(model))
    return 'No device serves this model right now. The request waits for one: start a device that has it, or stop and choose another model.'
  if (model.running < model.slots && model.queued === 0) return 'Waiting for a device…'
  const busy = model.slots === 1 ? 'The only slot is busy' : `All ${formatCount(model.slots)} slots are busy`
  if (request !== undefined && request.place !== null) return `${placeOf(request.place)}${aboutOf(request)}. ${busy}.`
  return `${busy}. ${plural(Math.max(model.queued, 1), 'request is', 'requests are')} waiting, yours included.`
}

function placeOf(place: number): string {
  return place === 1 ? 'Next in line' : `${formatOrdinal(place)} in line`
}

function aboutOf({ expectedMs }: WaitingRequest): string {
  return expectedMs === null ? '' : `, about ${formatRough(expectedMs)}`
}

function nameOf({ device }: WaitingRequest): string {
  return device ?? 'the device'
}

function progressOf(request: WaitingRequest): string {
  if (request.done === null || request.total === null) return `${aboutOf(request)}…`
  return `: ${formatCount(request.done)} of ${plural(request.total, 'token')}${aboutOf(request)}`
}
