// Random schemas with every keyword that is enforced. The same seed always makes the same schema.

import type { SchemaObject } from '../schema/schema-object.ts'

export interface Chance {
  /** An integer from 0 up to, but not including, `limit`. */
  below(limit: number): number
}

/** A small seeded generator (mulberry32), so that a failing schema can be made again. */
export function createChance(seed: number): Chance {
  let state = seed >>> 0
  return {
    below(limit) {
      state = (state + 0x6d2b79f5) >>> 0
      let mixed = Math.imul(state ^ (state >>> 15), state | 1)
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
      return ((mixed ^ (mixed >>> 14)) >>> 0) % limit
    },
  }
}

const NAMES = ['name', 'age', 'kind', 'é', 'with space', 'quote"d', 'a/b', 'tags', 'x', 'deep']
const WORDS = ['red', 'green', 'blue', 'greenish', '🙂', 'he said "no"', '', 'tab\there']
const PATTERNS = [
  '^[a-z]{2,5}$',
  '^\\d{3}-\\d{4}$',
  '^(foo|bar)+$',
  '[A-Z]',
  '^\\w+@\\w+\\.com$',
  '^a.c',
  '^[^"\\\\]{1,4}$',
  '^"x"$',
]
const FORMATS = ['date', 'time', 'date-time', 'uuid', 'email', 'ipv4', 'hostname', 'duration']

export function randomSchema(seed: number): SchemaObject {
  const chance = createChance(seed)
  const root = randomObject(chance, 3)
  return chance.below(3) === 0 ? { ...root, ...withTree(root, chance) } : root
}

/** A schema without anything that a clueless model could keep writing forever. */
export function randomShortSchema(seed: number): SchemaObject {
  return shorten(randomObject(createChance(seed), 2)) as SchemaObject
}

const SHORT_PATTERNS = PATTERNS.filter(
  (pattern) => pattern.startsWith('^') && pattern.endsWith('$') && !/[+*]/.test(pattern),
)

function shorten(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(shorten)
  if (typeof schema !== 'object' || schema === null) return schema
  const short = Object.fromEntries(Object.entries(schema).map(([keyword, value]) => [keyword, shorten(value)]))
  const { type, pattern, format, enum: values, maxLength, maxItems, additionalProperties: others } = short
  if (type === 'string' && pattern === undefined && format === undefined && values === undefined)
    return { ...short, maxLength: Math.min(Number(maxLength ?? 6), 6) }
  if (pattern !== undefined && !SHORT_PATTERNS.some((short) => short === pattern))
    return { ...short, pattern: SHORT_PATTERNS[0] }
  if (type === 'array') return { ...short, maxItems: Math.min(Number(maxItems ?? 3), 3) }
  if (type === 'object' && typeof others === 'object') {
    const named = Object.keys(short['properties'] ?? {}).length
    return { ...short, maxProperties: named + 2 }
  }
  return short
}

/** Adds a definition that contains itself, and a property that refers to it. */
function withTree(root: SchemaObject, chance: Chance): SchemaObject {
  const children = { type: 'array', items: { $ref: '#/$defs/tree' }, maxItems: 2 }
  const tree = { type: 'object', properties: { value: randomLeaf(chance), children }, required: ['value'] }
  return {
    $defs: { tree },
    properties: { ...(root['properties'] as object), tree: { $ref: '#/$defs/tree' } },
  }
}

export function pick<Item>(chance: Chance, items: readonly Item[]): Item {
  return items[chance.below(items.length)]!
}

function some<Item>(chance: Chance, items: readonly Item[]): Item[] {
  return items.filter(() => chance.below(3) === 0)
}

function randomNode(chance: Chance, depth: number): SchemaObject {
  const makers =
    depth <= 0 ? [randomLeaf] : [randomLeaf, randomLeaf, randomObject, randomArray, randomAlternatives, randomBoth]
  return pick(chance, makers)(chance, depth - 1)
}

function randomObject(chance: Chance, depth: number): SchemaObject {
  const names = some(chance, NAMES)
  const properties = Object.fromEntries(names.map((name) => [name, randomNode(chance, depth)]))
  const others = pick(chance, [{}, {}, { additionalProperties: false }, { additionalProperties: randomLeaf(chance) }])
  const filled = names.length > 0 && chance.below(4) === 0 ? { minProperties: 1 } : {}
  return { type: 'object', properties, required: some(chance, names), ...others, ...filled }
}

function randomArray(chance: Chance, depth: number): SchemaObject {
  const min = chance.below(3)
  const bounds = pick(chance, [{}, { minItems: min, maxItems: min + chance.below(3) }, { maxItems: chance.below(4) }])
  if (chance.below(4) > 0) return { type: 'array', items: randomNode(chance, depth), ...bounds }
  return {
    type: 'array',
    prefixItems: [randomLeaf(chance), randomNode(chance, depth)],
    items: pick(chance, [false, randomLeaf(chance)]),
    minItems: 2,
  }
}

function randomAlternatives(chance: Chance, depth: number): SchemaObject {
  const kinds = ['circle', 'square', 'line']
  const tagged = kinds.slice(0, 2 + chance.below(2)).map((kind) => ({
    type: 'object',
    properties: { kind: { const: kind }, size: randomLeaf(chance) },
    required: ['kind'],
  }))
  return pick(chance, [
    { anyOf: [randomNode(chance, depth), randomNode(chance, depth)] },
    { oneOf: tagged },
    {
      type: pick(chance, [
        ['string', 'null'],
        ['integer', 'boolean', 'null'],
        ['number', 'string'],
      ]),
    },
  ])
}

function randomBoth(chance: Chance, depth: number): SchemaObject {
  const [left, right] = [some(chance, NAMES.slice(0, 4)), some(chance, NAMES.slice(4, 8))]
  const half = (names: readonly string[]) => ({
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, randomNode(chance, depth)])),
    required: some(chance, names),
  })
  return { allOf: [half(left), half(right)] }
}

function randomLeaf(chance: Chance): SchemaObject {
  const min = chance.below(40) - 20
  const max = min + chance.below(150)
  return pick<SchemaObject>(chance, [
    { type: 'string' },
    { type: 'string', minLength: chance.below(3), maxLength: 3 + chance.below(6) },
    { type: 'string', pattern: pick(chance, PATTERNS) },
    { type: 'string', format: pick(chance, FORMATS) },
    { enum: some(chance, WORDS).concat('last') },
    { enum: [1, 'one', null, true, { a: [1] }] },
    { const: pick<unknown>(chance, ['fixed', 7, false, null]) },
    { type: 'integer' },
    { type: 'integer', minimum: min, maximum: max },
    { type: 'integer', exclusiveMinimum: min },
    { type: 'number' },
    { type: 'number', minimum: min / 7, maximum: min / 7 + 1 + max / 3 + 10 },
    { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
    { type: 'boolean' },
    { type: 'null' },
  ])
}
