// Frames that devices and gateways of each protocol version really send: examples of every frame,
// with every field of it. Only ever add to them: a change that needs to edit one would break the
// devices that send it.

import { readFileSync, readdirSync } from 'node:fs'
import type { DeviceFrame, GatewayFrame } from '../frames/frames.ts'
import type { JobRequest } from '../job/sealed-request.ts'

export type Frame = DeviceFrame | GatewayFrame
export type End = 'device' | 'gateway'

/** `frame` is present only if it differs from `wire`: fields unknown to this version, or null. */
interface Golden {
  from: End
  examples: { wire: Frame; frame?: Frame }[]
}

const V1 = new URL('../fixtures/v1/', import.meta.url)
const types = readdirSync(V1)
  .map((file) => file.replace('.json', ''))
  .filter((type) => type !== 'conversation')

export const GOLDEN = types.map((type) => ({ type, ...(readFixture(type) as Golden) }))
export const CONVERSATION = readFixture('conversation') as { from: End; wire: Frame | Frame[] }[]

export function framesFrom(end: End): Frame[] {
  return GOLDEN.filter(({ from }) => from === end).flatMap(({ examples }) =>
    examples.map(({ wire, frame }) => frame ?? wire),
  )
}

export const REQUESTS: readonly JobRequest[] = framesFrom('gateway').flatMap((frame) =>
  frame.type === 'job-start' && frame.request ? [frame.request] : [],
)

function readFixture(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`${name}.json`, V1), 'utf8'))
}
