// Random schemas whose keywords limit each other: conditions, negations, overlapping alternatives. Some allow nothing at all.

import type { SchemaObject } from '../schema/schema-object.ts'
import { createChance, pick, type Chance } from './random-schema.ts'

type Make = (chance: Chance, depth: number) => SchemaObject

const NAMES = ['a', 'b', 'ab', 'x-a', 'n']
const PATTERNS = ['^a', 'b$', '^[a-z]{1,3}$', '^x-', '^(?!a).*$', '[0-9]']

function some<Item>(chance: Chance, items: readonly Item[]): Item[] {
  return items.filter(() => chance.below(2) === 0)
}

/** `depth` limits how schemas nest. */
export function randomCombinedSchema(seed: number): SchemaObject {
  const chance = createChance(seed)
  const base = node(chance, 3)
  return chance.below(2) === 0 ? { ...base, ...combine(chance, 2) } : base
}

function node(chance: Chance, depth: number): SchemaObject {
  const makers: readonly Make[] =
    depth <= 0 ? [text, number, listed] : [text, number, listed, object, object, array, combine]
  return pick(chance, makers)(chance, depth - 1)
}

const text: Make = (chance) => ({
  type: 'string',
  ...pick<SchemaObject>(chance, [{}, { pattern: pick(chance, PATTERNS) }, { minLength: chance.below(3) }]),
  ...pick<SchemaObject>(chance, [{}, { maxLength: 1 + chance.below(5) }, { not: { pattern: pick(chance, PATTERNS) } }]),
})

const number: Make = (chance) => ({
  type: pick(chance, ['integer', 'number']),
  ...pick<SchemaObject>(chance, [
    {},
    { minimum: chance.below(20) - 10 },
    { exclusiveMinimum: (chance.below(40) - 20) / 8 },
  ]),
  ...pick<SchemaObject>(chance, [{}, { maximum: chance.below(30) }, { multipleOf: 1 + chance.below(12) }]),
  ...pick<SchemaObject>(chance, [{}, {}, { not: { const: chance.below(4) } }]),
})

const listed: Make = (chance) => ({ enum: [...some(chance, ['a', 'b', 1, 2.5, null, true, [1], { a: 1 }]), 'ab'] })

const object: Make = (chance, depth) => {
  const names = some(chance, NAMES)
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, node(chance, depth)])),
    ...pick<SchemaObject>(chance, [{}, { required: some(chance, names) }, { minProperties: chance.below(3) }]),
    ...pick<SchemaObject>(chance, [{}, { maxProperties: chance.below(4) }, { additionalProperties: node(chance, 0) }]),
    ...pick<SchemaObject>(chance, [
      {},
      { patternProperties: { [pick(chance, PATTERNS)]: node(chance, 0), [pick(chance, PATTERNS)]: node(chance, 0) } },
      {
        propertyNames: pick<SchemaObject>(chance, [
          { maxLength: 2 },
          { pattern: pick(chance, PATTERNS) },
          { enum: NAMES },
        ]),
      },
      { dependentRequired: { [pick(chance, NAMES)]: some(chance, NAMES) } },
      { dependentSchemas: { [pick(chance, NAMES)]: { properties: { [pick(chance, NAMES)]: node(chance, 0) } } } },
      { unevaluatedProperties: node(chance, 0) },
    ]),
  }
}

const array: Make = (chance, depth) => ({
  type: 'array',
  items: node(chance, depth),
  ...pick<SchemaObject>(chance, [{}, { minItems: chance.below(3) }, { maxItems: 1 + chance.below(3) }]),
  ...pick<SchemaObject>(chance, [
    {},
    { contains: node(chance, 0) },
    { contains: node(chance, 0), minContains: chance.below(2), maxContains: 2 },
    { items: { enum: ['a', 'b', 3] }, uniqueItems: true },
    { prefixItems: [node(chance, 0)] },
  ]),
})

const combine: Make = (chance, depth) =>
  pick<() => SchemaObject>(chance, [
    () => ({ anyOf: [node(chance, depth), node(chance, depth)] }),
    () => ({ oneOf: [node(chance, depth), node(chance, depth), node(chance, depth)] }),
    () => ({ allOf: [node(chance, depth), combine(chance, depth - 1)] }),
    () => ({ not: node(chance, depth) }),
    () => ({ if: node(chance, depth), then: node(chance, depth), else: node(chance, depth) }),
    () => ({ if: object(chance, 0), then: object(chance, 0) }),
  ])()
