// Values that have broken programs before.

import type { Random } from '@hearth/gateway/testing'

const NUMBERS = [0, -0, -1, 1, 0.5, 2 ** 31, 2 ** 32, 2 ** 53, -(2 ** 53), 1e308, 5e-324, 1e21, 255, 256, 65_536]
const TEXTS = [
  '',
  ' ',
  '\u0000',
  '\uD800',
  '\uFEFF',
  '\u202E',
  '\u001B[31m',
  '../../etc/passwd',
  "'; drop table api_key; --",
  '{{constructor}}',
  '<script>alert(1)</script>',
  '%00',
  '🦊'.repeat(50),
  'a'.repeat(257),
  'x'.repeat(70_000),
  '1e999',
  'null',
  'data: [DONE]\n\n',
  '\r\nset-cookie: a=b',
]
export const KEYS = [
  '__proto__',
  'constructor',
  'toString',
  'then',
  'length',
  'toJSON',
  '',
  'type',
  'id',
  'name',
  'content',
]

export function oddValue(random: Random, depth = 0): unknown {
  const leaves = [
    () => random.pick(NUMBERS),
    () => random.pick(TEXTS),
    () => random.pick([null, true, false]),
    () => random.bits(),
    () => oddText(random),
  ]
  const trees = [
    () => Array.from({ length: random.between(0, 4) }, () => oddValue(random, depth + 1)),
    () => oddObject(random, depth),
    () => nested(random.between(1, 200)),
    () => Array.from({ length: random.between(100, 3_000) }, () => 0),
  ]
  return random.pick(depth > 2 ? leaves : [...leaves, ...trees])()
}

export function oddText(random: Random): string {
  if (random.chance(0.5)) return random.pick(TEXTS)
  const length = random.between(0, 40)
  return Array.from({ length }, () => String.fromCharCode(random.between(0, 0xff_ff))).join('')
}

function oddObject(random: Random, depth: number): object {
  const entries = Array.from({ length: random.between(0, 4) }, () => [random.pick(KEYS), oddValue(random, depth + 1)])
  return Object.fromEntries(entries) as object
}

function nested(levels: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { a: value }
  return value
}
