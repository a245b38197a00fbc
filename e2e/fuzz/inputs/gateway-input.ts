// Messages of a gateway to a device: a device dials out to an address that its owner typed, so it can't know what answers there.

import type { Random } from '@hearth/gateway/testing'
import type { GatewayInput } from '../input.ts'
import { GATEWAY_FRAME_SAMPLES } from './gateway-frame-samples.ts'
import { mutateBytes } from './mutate-bytes.ts'
import { mutateJson } from './mutate-json.ts'

const { welcome: WELCOME } = GATEWAY_FRAME_SAMPLES
const FRAMES = Object.values(GATEWAY_FRAME_SAMPLES)

export function createGatewayInput(random: Random): GatewayInput {
  const first = random.chance(0.9) ? WELCOME : mutateJson(WELCOME, random, 1)
  const rest = Array.from({ length: random.between(1, 30) }, () => {
    const frame = random.pick(FRAMES)
    return random.chance(0.3) ? frame : mutateJson(frame, random, random.between(1, 3))
  })
  const texts = [first, ...rest].map((frame) => JSON.stringify(random.chance(0.9) ? frame : [frame, frame]))
  return { kind: 'gateway', texts: texts.map((text) => (random.chance(0.95) ? text : mutateBytes(text, random, 2))) }
}
