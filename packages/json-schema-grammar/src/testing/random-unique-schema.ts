// Random schemas with arrays whose items may not repeat: most have only a few values, so that a
// writer runs out of them.

import type { SchemaObject } from '../schema/schema-object.ts'
import { createChance, pick, type Chance } from './random-schema.ts'

type Make = (chance: Chance, depth: number) => SchemaObject

export function randomUniqueSchema(seed: number): SchemaObject {
  const chance = createChance(seed)
  const tags = uniqueArray(chance, 2)
  const more = { ...(chance.below(2) === 0 && { others: uniqueArray(chance, 1) }), n: { type: 'integer' } }
  return pick<SchemaObject>(chance, [
    tags,
    { type: 'object', properties: { tags, ...more }, required: ['tags'] },
    {
      anyOf: [
        { type: 'object', properties: { a: tags }, required: ['a'] },
        { type: 'array', items: tags, maxItems: 3 },
      ],
    },
  ])
}

const uniqueArray: Make = (chance, depth) => ({
  type: 'array',
  uniqueItems: true,
  items: item(chance, depth),
  ...pick<SchemaObject>(chance, [{}, { minItems: chance.below(12) }, { maxItems: 1 + chance.below(9) }]),
  ...pick<SchemaObject>(chance, [{}, {}, {}, { prefixItems: [leaf(chance, 0)] }, { contains: leaf(chance, 0) }]),
})

const leaf: Make = (chance) =>
  pick<SchemaObject>(chance, [
    { type: 'string' },
    { type: 'string', maxLength: 1 + chance.below(3) },
    { type: 'string', pattern: pick(chance, ['^(a|b+)$', '^a{1,3}$', '^[ab]{2}$', '^[a-c][0-2]?$']) },
    { type: 'string', format: pick(chance, ['uuid', 'date', 'ipv4']) },
    { type: 'integer' },
    { type: 'integer', minimum: 0, maximum: 3 + chance.below(300) },
    { type: 'number', minimum: 0, maximum: 1 },
    { type: 'number' },
    { type: 'boolean' },
    { enum: ['a', 'aa', 'ab', 1, 2, 3, 4, 5, 'b', null, true] },
    { anyOf: [{ enum: ['a', 'b'] }, { type: 'integer', minimum: 0, maximum: 9 }] },
    {},
  ])

function item(chance: Chance, depth: number): SchemaObject {
  if (depth <= 0) return leaf(chance, 0)
  return pick<() => SchemaObject>(chance, [
    () => leaf(chance, 0),
    () => leaf(chance, 0),
    () => uniqueArray(chance, depth - 1),
    () => ({
      type: 'object',
      properties: { a: leaf(chance, 0), kind: { enum: ['x', 'y'] } },
      required: pick(chance, [['a', 'kind'], ['kind'], []]),
    }),
    () => ({ type: 'array', items: leaf(chance, 0), minItems: 1, maxItems: 2 }),
  ])()
}
