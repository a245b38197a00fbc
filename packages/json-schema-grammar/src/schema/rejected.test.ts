import { describe, expect, it } from 'vitest'
import { GrammarRules, GrammarTooLarge } from '../grammar/grammar-rules.ts'
import { addSchema } from './convert.ts'
import { SchemaError } from './schema-error.ts'
import type { SchemaObject } from './schema-object.ts'

function rejection(schema: SchemaObject): string {
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
  [{ not: {} }, /^#: no value is allowed here/],
  [{ type: 'object', properties: { a: { if: {} } } }, /^#\/properties\/a: "if" can't/],
  [{ type: 'object', patternProperties: { '^a': {} } }, /"patternProperties"/],
  [{ type: 'object', dependentRequired: {} }, /"dependentRequired"/],
  [{ type: 'array', contains: {} }, /"contains"/],
  [{ type: 'array', uniqueItems: true, items: {} }, /^#: "uniqueItems"/],
  [{ type: 'number', multipleOf: 0.01 }, /^#: "multipleOf"/],
  [{ type: 'object', minProperties: 2 }, /^#\/minProperties/],
  [{ oneOf: [{ type: 'number' }, { type: 'integer' }] }, /^#\/oneOf: .*overlap/],
  [{ oneOf: [{ type: 'string' }, { type: 'string', maxLength: 3 }] }, /overlap/],
  [string({ pattern: '^a+$', maxLength: 3 }), /^#\/properties\/a: .*other lengths/],
  [string({ pattern: 'a', format: 'date' }), /"pattern" and "format"/],
  [string({ format: 'regex' }), /^#\/properties\/a\/format/],
  [{ enum: ['a'], pattern: 'a' }, /"enum" and "const"/],
  [{ $ref: 'https://example.com/schema' }, /^#\/\$ref: only references inside/],
  [{ $ref: '#/$defs/none' }, /does not point to a schema/],
  [{ type: 'object', required: ['a'], additionalProperties: false }, /"a" is required but not allowed/],
  [{ type: 'text' }, /"text" is not a valid JSON type/],
  [{ type: 'integer', minimum: 5, maximum: 4 }, /no number is between/],
  [{ allOf: [{ type: 'string' }, { type: 'integer' }] }, /no value is both string and integer/],
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
  ['ways to read that double with each level', TWINS, /tells them apart/],
  ['depth', nested(40), /can nest at most 32 levels/],
  ['extreme depth', nested(2000), /can nest at most 32 levels|plain JSON/],
  [
    'size',
    { type: 'object', properties: Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`p${index}`, {}])) },
    /at most 2000 subschemas/,
  ],
  ['length', { description: 'x'.repeat(200_000) }, /at most 131072 characters/],
  ['long enums', { enum: Array.from({ length: 1001 }, (_, index) => index) }, /at most 1000 enum values/],
  [
    'references that form a cycle',
    { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' },
    /form a cycle/,
  ],
  ['a reference to itself', { anyOf: [{ $ref: '#' }, { type: 'null' }] }, /form a cycle/],
  ['combining itself', { $defs: { a: { allOf: [{ $ref: '#/$defs/a' }] } }, $ref: '#/$defs/a' }, /form a cycle/],
  [
    'a value that never ends',
    { type: 'object', properties: { child: { $ref: '#' } }, required: ['child'] },
    /without end/,
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
    /too complex/,
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
  ['huge minimum', { type: 'array', items: {}, minItems: 1_000_000 }, /can't be enforced above 2000/],
  ['huge lengths', string({ minLength: 100_000 }), /can't be enforced above 2000/],
  [
    'many large repetitions',
    {
      type: 'object',
      properties: Object.fromEntries(
        Array.from({ length: 50 }, (_, index) => [`p${index}`, { type: 'string', maxLength: 1500 + index }]),
      ),
    },
    /repetitions are too large/,
  ],
  ['long patterns', string({ pattern: 'a'.repeat(513) }), /at most 512 characters/],
  ['nested stars', string({ pattern: '^(a*)*$' }), /can be empty can't be repeated/],
  ['repeated repetitions', string({ pattern: '^a{1000}{1000}$' }), /a repetition can't be repeated/],
  ['patterns that multiply', string({ pattern: '^(((a{1,99}){1,99}){1,99}){1,99}$' }), /more than 4000 places/],
  ['huge counts', string({ pattern: '^a{1,99999}$' }), /can't be enforced above 2000/],
  ['deep groups', string({ pattern: `^${'('.repeat(30)}a${')'.repeat(30)}$` }), /groups can nest/],
  ['looking ahead', string({ pattern: '^(?=a)b$' }), /only "\(" and/],
  ['looking back', string({ pattern: '(a)\\1' }), /can't be enforced/],
  ['word borders', string({ pattern: '\\bword' }), /can't be enforced/],
  ['broken patterns', string({ pattern: '^[a-$' }), /incomplete|wrong order/],
  ['unclosed groups', string({ pattern: '(a' }), /unclosed/],
]

describe('schemas that are rejected', () => {
  it.each(NOT_ENFORCEABLE)('[X3] says what is wrong with %j', (schema, reason) => {
    expect(rejection(schema)).toMatch(reason)
  })

  it.each(HOSTILE)('[X5] include %s', (_name, schema, reason) => {
    expect(rejection(schema)).toMatch(reason)
  })

  it('[X5] include one that contains itself as a value', () => {
    const schema: Record<string, unknown> = { type: 'array' }
    schema['items'] = schema
    expect(rejection(schema)).toMatch(/without cycles/)
  })
})
