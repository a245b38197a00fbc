// Asks a device for something about its models, on behalf of a person.

import type { ModelReply } from '@hearth/protocol'
import { ApiError } from '@hearth/chat'
import type { ModelAnswer, ModelAsk } from '../../fleet/fleet.ts'
import type { Device } from '../../store/devices/device-rows.ts'
import { actorOf, organizationOf, type ConsoleContext, type ConsoleParts } from '../console.ts'
import { notFound } from '../guard/guard.ts'

export async function findDevice({ store }: ConsoleParts, context: ConsoleContext): Promise<Device> {
  const id = context.req.param('device')
  const device = (await store.listDevices(organizationOf(context))).find((candidate) => candidate.id === id)
  if (device === undefined) throw notFound('device')
  return device
}

/** Throws unless the device did what was asked. */
export async function askDevice(
  { fleet }: ConsoleParts,
  context: ConsoleContext,
  device: Device,
  request: ModelAskWithoutName,
): Promise<ModelReply> {
  const by = actorOf(context).name
  const answer = await fleet.askModel(organizationOf(context), device.id, { ...request, by })
  if (answer.kind !== 'replied' || answer.reply.problem !== undefined)
    throw new ApiError('device_refused', describeRefusal(device.name, answer))
  return answer.reply
}

type ModelAskWithoutName = ModelAsk extends infer Ask ? (Ask extends unknown ? Omit<Ask, 'by'> : never) : never

function describeRefusal(device: string, answer: ModelAnswer): string {
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
