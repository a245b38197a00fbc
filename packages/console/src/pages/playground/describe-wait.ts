// Says why no text has arrived yet, as far as the gateway knows.

import type { Shapes } from '../../api/client.ts'
import { formatCount, plural } from '../../lib/format.ts'
import { isServed, type Model } from './lane-model.ts'

export type WaitingRequest = Shapes['WaitingRequest']

export function describeWait(model: Model | undefined, request: WaitingRequest | undefined): string {
  if (request === undefined) return describeQueue(model)
  switch (request.state) {
    case 'queued':
      return describeQueue(model)
    case 'starting':
      return `Starting on ${nameOf(request)}…`
    case 'loading':
      return `Loading the model on ${nameOf(request)}. The first request after a break takes longer.`
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

function describeQueue(model: Model | undefined): string {
  if (model === undefined) return 'Sending the request…'
  if (!isServed(model)) return 'No device serves this model right now. The request waits for one.'
  if (model.running < model.slots && model.queued === 0) return 'Waiting for a device…'
  const busy = model.slots === 1 ? 'The only slot is busy' : `All ${formatCount(model.slots)} slots are busy`
  return `${busy}. ${plural(Math.max(model.queued, 1), 'request is', 'requests are')} waiting, yours included.`
}

function nameOf({ device }: WaitingRequest): string {
  return device ?? 'the device'
}

function progressOf({ done, total }: WaitingRequest): string {
  if (done === null || total === null) return '…'
  return `: ${formatCount(done)} of ${plural(total, 'token')}`
}
