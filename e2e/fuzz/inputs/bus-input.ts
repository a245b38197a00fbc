// What somebody with the password of the message bus sends: messages of a gateway that are right or changed, and anything else.

import type { Random } from '@hearth/gateway/testing'
import { toBytes, type BusInput, type BusStep } from '../input.ts'
import { mutateBytes } from './mutate-bytes.ts'
import { mutateJson } from './mutate-json.ts'
import { BUS_SAMPLES, PEER_MESSAGE_SAMPLES } from './peer-message-samples.ts'

const MESSAGES = Object.values(PEER_MESSAGE_SAMPLES)
const PUBLISHED = Object.values(BUS_SAMPLES)

export function createBusInput(random: Random): BusInput {
  const steps = Array.from({ length: random.between(1, 10) }, () =>
    random.chance(0.7) ? createMessage(random) : createPublished(random),
  )
  return { kind: 'bus', steps }
}

function createMessage(random: Random): BusStep {
  const message = random.pick(MESSAGES)
  return { do: 'say', text: JSON.stringify(random.chance(0.3) ? message : mutateJson(message, random, 1)) }
}

function createPublished(random: Random): BusStep {
  const { subject, message } = random.pick(PUBLISHED)
  const changed = random.chance(0.7) ? mutateJson(message, random, 1) : message
  const text = toBytes(typeof changed === 'string' ? `${changed}\n[{}]` : JSON.stringify(changed))
  return { do: 'publish', subject, bytes: random.chance(0.3) ? mutateBytes(text, random, 2) : text }
}
