import { describe, expect, it } from 'vitest'
import { GrammarRules, GrammarTooLarge } from '../grammar/grammar-rules.ts'
import { addSchema } from './convert.ts'
import { SchemaError } from './schema-error.ts'
import type { SchemaObject } from './schema-object.ts'

function refusal(schema: SchemaObject): string {
  try {
    const rules = new GrammarRules()
    rules.print(addSchema(schema, rules))
  } catch (error) {
    if (error instanceof SchemaError || error instanceof GrammarTooLarge) return error.message
    throw error
  }
  return 'accepted'
}

function nested(depth: number): SchemaObject {
  return depth === 0 ? { type: 'null' } : { type: 'array', items: nested(depth - 1) }
}

const string = (rest: SchemaObject) => ({ type: 'object', properties: { a: { type: 'string', ...rest } } })

const NOT_ENFORCEABLE: [SchemaObject, RegExp][] = [
  [{ not: { type: 'string' } }, /^#: "not" can't be enforced/],
  [{ not: {} }, /^#: nothing is allowed here/],
  [{ type: 'object', properties: { a: { if: {} } } }, /^#\/properties\/a: "if" can't/],
  [{ type: 'object', patternProperties: { '^a': {} } }, /"patternProperties"/],
  [{ type: 'object', dependentRequired: {} }, /"dependentRequired"/],
  [{ type: 'array', contains: {} }, /"contains"/],
  [{ type: 'array', uniqueItems: true, items: {} }, /^#: "uniqueItems"/],
  [{ type: 'number', multipleOf: 0.01 }, /^#: "multipleOf"/],
  [{ type: 'object', minProperties: 2 }, /^#\/minProperties/],
  [{ oneOf: [{ type: 'number' }, { type: 'integer' }] }, /^#\/oneOf: .*overlap/],
  [{ oneOf: [{ type: 'string' }, { type: 'string', maxLength: 3 }] }, /overlap/],
  [string({ pattern: '^a+$', maxLength: 3 }), /^#\/properties\/a: .*lengths/],
  [string({ pattern: 'a', format: 'date' }), /"pattern" and "format"/],
  [string({ format: 'regex' }), /^#\/properties\/a\/format/],
  [{ enum: ['a'], pattern: 'a' }, /"enum" and "const"/],
  [{ $ref: 'https://example.com/schema' }, /^#\/\$ref: only references within/],
  [{ $ref: '#/$defs/none' }, /leads to no schema/],
  [{ type: 'object', required: ['a'], additionalProperties: false }, /"a" is required but not allowed/],
  [{ type: 'text' }, /"text" is no type of JSON/],
  [{ type: 'integer', minimum: 5, maximum: 4 }, /no number fits/],
  [{ allOf: [{ type: 'string' }, { type: 'integer' }] }, /nothing is both string and integer/],
  [{ type: 'array', items: false, minItems: 1 }, /no array/],
  [{ enum: [] }, /at least one entry/],
  [{ $defs: { hidden: { not: { const: 1 } } } }, /^#\/\$defs\/hidden: "not"/],
]

const TWINS = {
  $defs: {
    a: { type: 'array', items: { anyOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/b' }, { type: 'null' }] } },
    b: { type: 'array', items: { anyOf: [{ $ref: '#/$defs/b' }, { $ref: '#/$defs/a' }, { type: 'null' }] } },
  },
  $ref: '#/$defs/a',
}

const HOSTILE: [name: string, schema: SchemaObject, RegExp][] = [
  ['readings that double with each level', TWINS, /tells them apart/],
  ['depth', nested(40), /nest at most 32 levels/],
  ['endless depth', nested(2000), /nest at most 32 levels|plain JSON/],
  [
    'size',
    { type: 'object', properties: Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`p${index}`, {}])) },
    /at most 2000 parts/,
  ],
  ['length', { description: 'x'.repeat(200_000) }, /at most 131072 characters/],
  ['long enums', { enum: Array.from({ length: 1001 }, (_, index) => index) }, /at most 1000 enum values/],
  [
    'references in a circle',
    { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' },
    /in a circle/,
  ],
  ['a reference to itself', { anyOf: [{ $ref: '#' }, { type: 'null' }] }, /in a circle/],
  ['combining itself', { $defs: { a: { allOf: [{ $ref: '#/$defs/a' }] } }, $ref: '#/$defs/a' }, /in a circle/],
  [
    'a value that never ends',
    { type: 'object', properties: { child: { $ref: '#' } }, required: ['child'] },
    /without an end/,
  ],
  [
    'combining recursion with itself',
    {
      $defs: {
        a: { type: 'object', properties: { n: { $ref: '#/$defs/a' } } },
        b: { type: 'object', properties: { n: { $ref: '#/$defs/b' } } },
      },
      allOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/b' }],
    },
    /too intricate/,
  ],
  [
    'alternatives that multiply',
    {
      allOf: Array.from({ length: 12 }, () => ({
        anyOf: Array.from({ length: 10 }, (_, index) => ({ const: index })),
      })),
    },
    /too many combinations/,
  ],
  ['huge minimum', { type: 'array', items: {}, minItems: 1_000_000 }, /counts up to 2000/],
  ['huge lengths', string({ minLength: 100_000 }), /lengths up to 2000/],
  [
    'many large repetitions',
    {
      type: 'object',
      properties: Object.fromEntries(
        Array.from({ length: 50 }, (_, index) => [`p${index}`, { type: 'string', maxLength: 1500 + index }]),
      ),
    },
    /repeats too much/,
  ],
  ['long patterns', string({ pattern: 'a'.repeat(513) }), /at most 512 characters/],
  ['nested stars', string({ pattern: '^(a*)*$' }), /may be empty is repeated/],
  ['repeated repetitions', string({ pattern: '^a{1000}{1000}$' }), /a repetition is repeated/],
  ['patterns that multiply', string({ pattern: '^(((a{1,99}){1,99}){1,99}){1,99}$' }), /more than 4000 places/],
  ['huge counts', string({ pattern: '^a{1,99999}$' }), /count to 2000 at most/],
  ['deep groups', string({ pattern: `^${'('.repeat(30)}a${')'.repeat(30)}$` }), /groups nest/],
  ['looking ahead', string({ pattern: '^(?=a)b$' }), /only plain and/],
  ['looking back', string({ pattern: '(a)\\1' }), /can't be enforced/],
  ['word borders', string({ pattern: '\\bword' }), /can't be enforced/],
  ['broken patterns', string({ pattern: '^[a-$' }), /cut short|backwards/],
  ['unclosed groups', string({ pattern: '(a' }), /not closed/],
]

describe('schemas that are refused', () => {
  it.each(NOT_ENFORCEABLE)('[W13] names what is wrong with %j', (schema, reason) => {
    expect(refusal(schema)).toMatch(reason)
  })

  it.each(HOSTILE)('[W50] refuses %s at once', (_name, schema, reason) => {
    expect(refusal(schema)).toMatch(reason)
  })

  it('[W50] refuses a schema that contains itself as a value', () => {
    const schema: Record<string, unknown> = { type: 'array' }
    schema['items'] = schema
    expect(refusal(schema)).toMatch(/without cycles/)
  })
})
