// The golden frames of the protocol, as samples: frames of every type, as devices and gateways really send them.

import { GOLDEN, type End, type Frame } from '../../../packages/protocol/src/testing/golden-frames.ts'

type Of<Type extends Frame['type']> = Extract<Frame, { type: Type }>

/** Every frame that this end sends. */
export function goldenFrames(from: End): Frame[] {
  return GOLDEN.filter((golden) => golden.from === from).flatMap(({ examples }) => examples.map(({ wire }) => wire))
}

/** One with every field that a golden frame of this type has. */
export function goldenFrame<Type extends Frame['type']>(type: Type): Of<Type> {
  const { examples = [] } = GOLDEN.find((golden) => golden.type === type) ?? {}
  return examples.map<unknown>(({ wire }) => wire).reduce(merge, undefined) as Of<Type>
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
