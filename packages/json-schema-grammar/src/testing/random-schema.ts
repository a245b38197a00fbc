// Random schemas with every keyword that is enforced, also where keywords limit each other. The
// same seed always makes the same schema.

import { schemaToGrammar } from '../schema-to-grammar.ts'
import { SchemaError } from '../schema/schema-error.ts'
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

/** `depth` limits how schemas nest. */
type Make = (chance: Chance, depth: number, isShort: boolean) => SchemaObject

const NAMES = ['a', 'b', 'ab', 'x-a', 'é', 'with space', 'quote"d', 'a/b']
const WORDS = ['red', 'green', 'greenish', '🙂', 'he said "no"', '', 'tab\there']
const VALUES = ['a', 'b', 1, 2.5, null, true, [1], { a: 1 }]
const SHORT_PATTERNS = ['^[a-z]{1,3}$', '^\\d{3}-\\d{4}$', '^[^"\\\\]{1,4}$', '^"x"$', '^a.c$']
const PATTERNS = [...SHORT_PATTERNS, '^a', 'b$', '^x-', '^(?!a).*$', '[0-9]', '^(foo|bar)+$', '^\\w+@\\w+\\.com$']

/** Some of these allow nothing at all, and are rejected. */
export function randomAnySchema(seed: number, isShort = false): SchemaObject {
  const chance = createChance(seed)
  const base = node(chance, 3, isShort)
  const more = chance.below(2) === 0 ? combine(chance, 2, isShort) : {}
  return chance.below(4) === 0 && !isShort ? withTree({ ...base, ...more }, chance) : { ...base, ...more }
}

export function randomSchema(seed: number, isShort = false): SchemaObject {
  const schema = randomAnySchema(seed, isShort)
  return isTaken(schema) ? schema : randomSchema(seed + 1_000_000, isShort)
}

/** A schema without anything that a clueless model could keep writing forever. */
export function randomShortSchema(seed: number): SchemaObject {
  return randomSchema(seed, true)
}

function isTaken(schema: SchemaObject): boolean {
  try {
    schemaToGrammar(schema)
    return true
  } catch (error) {
    if (error instanceof SchemaError) return false
    throw error
  }
}

/** Adds a definition that contains itself, and a property that refers to it. */
function withTree(root: SchemaObject, chance: Chance): SchemaObject {
  const children = { type: 'array', items: { $ref: '#/$defs/tree' }, maxItems: 2 }
  const tree = { type: 'object', properties: { value: text(chance, 0, false), children }, required: ['value'] }
  return {
    ...root,
    $defs: { tree },
    properties: { ...(root['properties'] as object | undefined), tree: { $ref: '#/$defs/tree' } },
  }
}

export function pick<Item>(chance: Chance, items: readonly Item[]): Item {
  return items[chance.below(items.length)]!
}

function some<Item>(chance: Chance, items: readonly Item[]): Item[] {
  return items.filter(() => chance.below(2) === 0)
}

const node: Make = (chance, depth, isShort) => {
  const makers = depth <= 0 ? [text, number, listed] : [text, number, listed, object, object, array, tagged, combine]
  return pick(chance, makers)(chance, depth - 1, isShort)
}

const text: Make = (chance, _depth, isShort) => ({
  type: 'string',
  ...pick<SchemaObject>(chance, [
    {},
    { pattern: pick(chance, isShort ? SHORT_PATTERNS : PATTERNS) },
    { minLength: chance.below(3), maxLength: 3 + chance.below(4) },
  ]),
  ...pick<SchemaObject>(chance, [
    {},
    {},
    { maxLength: 1 + chance.below(40) },
    { not: { pattern: pick(chance, PATTERNS) } },
  ]),
  ...(isShort && { maxLength: 40 }),
})

const number: Make = (chance) => ({
  type: pick(chance, ['integer', 'number']),
  ...pick<SchemaObject>(chance, [
    {},
    { minimum: chance.below(20) - 10 },
    { minimum: (chance.below(40) - 20) / 7 },
    { exclusiveMinimum: (chance.below(40) - 20) / 8 },
  ]),
  ...pick<SchemaObject>(chance, [
    {},
    { maximum: chance.below(130) },
    { exclusiveMaximum: chance.below(30) + 0.5 },
    { multipleOf: 1 + chance.below(12) },
  ]),
  ...pick<SchemaObject>(chance, [{}, {}, { not: { const: chance.below(4) } }]),
})

const listed: Make = (chance) =>
  pick<SchemaObject>(chance, [
    { enum: [...some(chance, VALUES), 'ab'] },
    { enum: [...some(chance, WORDS), 'last'] },
    { const: pick<unknown>(chance, ['fixed', 7, false, null]) },
    { type: pick<unknown>(chance, ['boolean', 'null', ['integer', 'boolean', 'null']]) },
  ])

const object: Make = (chance, depth, isShort) => {
  const names = some(chance, NAMES).slice(0, 5)
  const leaf = () => node(chance, 0, isShort)
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, node(chance, depth, isShort)])),
    ...pick<SchemaObject>(chance, [{}, { required: some(chance, names) }, { minProperties: chance.below(3) }]),
    ...pick<SchemaObject>(chance, [{}, { maxProperties: chance.below(4) }, { additionalProperties: leaf() }]),
    ...pick<SchemaObject>(chance, [
      {},
      { additionalProperties: false },
      { patternProperties: { [pick(chance, PATTERNS)]: leaf(), [pick(chance, PATTERNS)]: leaf() } },
      { propertyNames: pick(chance, [{ maxLength: 2 }, { pattern: pick(chance, PATTERNS) }, { enum: NAMES }]) },
      { dependentRequired: { [pick(chance, NAMES)]: some(chance, NAMES) } },
      { dependentSchemas: { [pick(chance, NAMES)]: { properties: { [pick(chance, NAMES)]: leaf() } } } },
      { unevaluatedProperties: leaf() },
    ]),
    ...(isShort && { propertyNames: { maxLength: 12 }, maxProperties: names.length + 2 }),
  }
}

const array: Make = (chance, depth, isShort) => ({
  type: 'array',
  items: node(chance, depth, isShort),
  ...pick<SchemaObject>(chance, [{}, { minItems: chance.below(3) }, { maxItems: 1 + chance.below(3) }]),
  ...pick<SchemaObject>(chance, [
    {},
    { contains: node(chance, 0, isShort) },
    { contains: node(chance, 0, isShort), minContains: chance.below(2), maxContains: 2 },
    { items: { enum: ['a', 'b', 3] }, uniqueItems: true },
    { prefixItems: [node(chance, 0, isShort)] },
    { prefixItems: [node(chance, 0, isShort), node(chance, depth, isShort)], items: false, minItems: 2 },
  ]),
  ...(isShort && { maxItems: 3 }),
})

const tagged: Make = (chance, _depth, isShort) => ({
  oneOf: ['circle', 'square', 'line'].slice(0, 2 + chance.below(2)).map((kind) => ({
    type: 'object',
    properties: { kind: { const: kind }, size: node(chance, 0, isShort) },
    required: ['kind'],
  })),
})

const combine: Make = (chance, depth, isShort) => {
  const part = () => node(chance, depth, isShort)
  const bounded = [
    () => ({ anyOf: [part(), part()] }),
    () => ({ oneOf: [part(), part(), part()] }),
    () => ({ allOf: [object(chance, depth, isShort), object(chance, depth, isShort)] }),
    () => ({ allOf: [part(), combine(chance, depth - 1, isShort)] }),
    () => ({ if: part(), then: part(), else: part() }),
  ]
  const others = [() => ({ not: part() }), () => ({ if: object(chance, 0, false), then: object(chance, 0, false) })]
  return pick<() => SchemaObject>(chance, isShort ? bounded : [...bounded, ...others])()
}
