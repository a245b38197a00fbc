// Messages of a gateway to a device: a device dials out to an address that its owner typed, so it can't know what answers there.

import type { Random } from '@hearth/gateway/testing'
import type { GatewayInput } from '../input.ts'
import { goldenFrame, goldenFrames } from './golden-frames.ts'
import { mutateBytes } from './mutate-bytes.ts'
import { mutateJson } from './mutate-json.ts'

const WELCOME = forThisDevice(goldenFrame('welcome'))
const FRAMES = goldenFrames('gateway').map(forThisDevice)

/** With the organization and the model of the fuzzer's device. */
function forThisDevice(frame: object): object {
  const text = JSON.stringify(frame).replaceAll('org_9e2', 'organization-1')
  return JSON.parse(text.replaceAll(/"(?:team\/small|qwen3:8b)"/g, '"echo"')) as object
}

export function createGatewayInput(random: Random): GatewayInput {
  const first = random.chance(0.9) ? WELCOME : mutateJson(WELCOME, random, 1)
  const rest = Array.from({ length: random.between(1, 30) }, () => {
    const frame = random.pick(FRAMES)
    return random.chance(0.3) ? frame : mutateJson(frame, random, random.between(1, 3))
  })
  const texts = [first, ...rest].map((frame) => JSON.stringify(random.chance(0.9) ? frame : [frame, frame]))
  return { kind: 'gateway', texts: texts.map((text) => (random.chance(0.95) ? text : mutateBytes(text, random, 2))) }
}
