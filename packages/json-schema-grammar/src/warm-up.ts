// What a thread can do before its first schema, so that this one doesn't take longer than the next: compile all formats, and have V8 see
// the code in use.

import { FORMAT_NAMES } from './schema/formats.ts'
import type { SchemaObject } from './schema/schema-object.ts'
import { prepareFormat } from './shape/string-shape.ts'
import { schemaToGrammar } from './schema-to-grammar.ts'

/** V8 optimizes code that was used often; after so many times, more of them change little. */
const ROUNDS = 24

/** In steps of a few milliseconds. The caller can do something else in between. */
export function* warmUp(): Generator<undefined, void> {
  for (const format of FORMAT_NAMES) {
    prepareFormat(format)
    yield
  }
  for (let round = 0; round < ROUNDS; round++) {
    schemaToGrammar(sampleOf(round))
    yield
  }
}

/** A schema with something of everything. Each round has other patterns and names, because those of the last one are known. */
function sampleOf(round: number): SchemaObject {
  return {
    type: 'object',
    properties: {
      [`name${round}`]: { type: 'string', pattern: `^[a-z]{${round + 1}}(?:-[a-z0-9]+)*$`, maxLength: 60 },
      kind: { enum: ['circle', 'square', `other ${round}`, null, 1] },
      tags: { type: 'array', items: { type: 'string', minLength: 1 }, uniqueItems: true, maxItems: round + 2 },
      size: {
        anyOf: [
          { type: 'number', minimum: 0, maximum: round + 0.5 },
          { type: 'integer', multipleOf: 5 },
        ],
      },
      child: { $ref: '#/$defs/child' },
      labels: {
        type: 'object',
        properties: { first: { type: 'string' }, [`second${round}`]: { type: 'boolean' } },
        patternProperties: { [`^x-${round}`]: { type: 'string' }, '[0-9]$': { type: ['integer', 'string'] } },
        additionalProperties: { $ref: '#/$defs/child' },
      },
    },
    required: ['kind', 'child'],
    additionalProperties: false,
    $defs: {
      child: {
        type: 'object',
        oneOf: [
          { properties: { type: { const: 'leaf' }, value: { type: 'string' } }, required: ['type', 'value'] },
          {
            properties: { type: { const: 'branch' }, items: { type: 'array', items: { $ref: '#/$defs/child' } } },
            required: ['type'],
          },
          {
            allOf: [{ properties: { type: { const: 'none' } } }, { required: ['type'], not: { required: ['value'] } }],
          },
        ],
      },
    },
  }
}
