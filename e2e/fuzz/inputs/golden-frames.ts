// The golden frames of the protocol, as samples: frames of every type, as devices and gateways really send them.

import { readdirSync, readFileSync } from 'node:fs'
import type { DeviceFrame, GatewayFrame } from '@hearth/protocol'

type Frame = DeviceFrame | GatewayFrame
type Of<Type extends Frame['type']> = Extract<Frame, { type: Type }>

interface Golden {
  from: 'device' | 'gateway'
  examples: { wire: Frame }[]
}

const FOLDER = new URL('../../../packages/protocol/src/fixtures/v1/', import.meta.url)
const all = new Map(
  readdirSync(FOLDER)
    .filter((file) => file !== 'conversation.json')
    .map((file) => [file.replace('.json', ''), JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as Golden]),
)

/** Every frame that this end sends. */
export function goldenFrames(from: Golden['from']): Frame[] {
  return [...all.values()].filter((golden) => golden.from === from).flatMap(({ examples }) => examples.map(wireOf))
}

/** One with every field that a golden frame of this type has. */
export function goldenFrame<Type extends Frame['type']>(type: Type): Of<Type> {
  const { examples = [] } = all.get(type) ?? {}
  return examples.map<unknown>(wireOf).reduce(merge, undefined) as Of<Type>
}

function wireOf({ wire }: Golden['examples'][number]): Frame {
  return wire
}

function merge(one: unknown, other: unknown): unknown {
  if (!isObject(one) || !isObject(other)) return lengthOf(other) > lengthOf(one) ? other : one
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return Object.fromEntries([...names].map((name) => [name, merge(one[name], other[name])]))
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function lengthOf(value: unknown): number {
  return value === undefined || value === null ? 0 : JSON.stringify(value).length
}
