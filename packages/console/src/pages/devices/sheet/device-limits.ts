// The reasons why a device can’t do more, in words, the most severe first.

import type { Schemas } from '../../../api/client.ts'
import { formatContext } from '../../../lib/format.ts'

type Device = Schemas['Device']

/** A device on the other side of the world answers within this time. */
const SLOW_LINK_MS = 400

export interface Limit {
  about: 'speed' | 'context' | 'slots' | 'link' | 'library'
  text: string
}

export function findLimits(device: Device): Limit[] {
  if (device.state === 'offline') return []
  return [
    ...linkLimits(device),
    ...device.models.flatMap((model) => modelLimits(device, model)),
    ...libraryLimits(device),
  ]
}

function linkLimits({ latencyMs }: Device): Limit[] {
  if (latencyMs === null || latencyMs < SLOW_LINK_MS) return []
  return [{ about: 'link', text: `Its connection is slow: a round trip takes ${latencyMs} ms.` }]
}

/** The owner of the machine decides who may change its models. */
function libraryLimits({ library }: Device): Limit[] {
  if (library === null || library.isOpen || library.why === null) return []
  return [{ about: 'library', text: `Its models can’t be changed here: ${library.why.replace(/\.$/, '')}.` }]
}

function modelLimits({ backend }: Device, { name, contextLength, slots, sizing }: Schemas['DeviceModel']): Limit[] {
  const limits: (Limit | false)[] = [
    sizing !== null &&
      contextLength < sizing.trainedLength && {
        about: 'context',
        text: `${name} has a context of ${formatContext(contextLength)}: ${sizing.why.replace(/\.$/, '')}.`,
      },
    sizing !== null &&
      backend?.name !== 'cpu' &&
      sizing.gpuLayers < sizing.layers && {
        about: 'speed',
        text:
          sizing.gpuLayers === 0
            ? `${name} runs on the CPU.`
            : `${name} is too large for the graphics card: ${sizing.layers - sizing.gpuLayers} of ${sizing.layers} layers run on the CPU, which is slower.`,
      },
    slots === 1 && { about: 'slots', text: `${name} answers one request at a time. Others wait.` },
  ]
  return limits.filter((limit) => limit !== false)
}
