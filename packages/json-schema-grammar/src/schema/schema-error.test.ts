import { readFile } from 'node:fs/promises'
import { describe, expect, it, vi } from 'vitest'
import { WorkBudget } from '../language/work-budget.ts'
import { schemaToGrammar } from '../schema-to-grammar.ts'
import { SchemaError } from './schema-error.ts'
import type { SchemaObject } from './schema-object.ts'

function rejection(schema: SchemaObject): string {
  try {
    schemaToGrammar(schema)
  } catch (error) {
    if (error instanceof SchemaError) return error.message
    throw error
  }
  return 'accepted'
}

const many = <Item>(count: number, item: (index: number) => Item) =>
  Array.from({ length: count }, (_, index) => item(index))
const named = (count: number, item: (index: number) => [string, unknown]): SchemaObject => ({
  type: 'object',
  properties: Object.fromEntries(many(count, item)),
})
const nested = (depth: number): SchemaObject => (depth === 0 ? {} : { type: 'array', items: nested(depth - 1) })

const string = (rest: SchemaObject) => ({ type: 'object', properties: { a: { type: 'string', ...rest } } })

const NOT_ENFORCEABLE: [SchemaObject, RegExp][] = [
  [{ not: {} }, /^#: no value is allowed here/],
  [{ type: 'object', properties: { a: { not: true } }, required: ['a'] }, /"a" is required but not allowed/],
  [{ type: 'array', uniqueItems: true, items: { type: 'boolean' }, minItems: 3 }, /^#: there are not enough different/],
  [{ type: 'array', uniqueItems: true, contains: {}, minContains: 2 }, /^#: "uniqueItems" can't be enforced with "min/],
  [{ type: 'object', minProperties: 2 }, /^#\/minProperties/],
  [{ oneOf: [{ type: 'string' }, { type: 'string' }] }, /^#: no value is both|^#: no value is allowed/],
  [string({ pattern: '(?<=a)b' }), /^#\/properties\/a\/pattern: "\(\?<=" can't be enforced/],
  [string({ pattern: '^\\p{Script=Greek}$' }), /^#\/properties\/a\/pattern: this "\\p" class/],
  [string({ pattern: '^(?!\\p{L}).*$' }), /^#\/properties\/a\/pattern: classes like "\\p" in a negative lookahead/],
  [{ type: 'string', not: { pattern: '^\\p{L}$' } }, /^#\/not\/pattern: can't be inverted/],
  [{ enum: ['b'], pattern: 'a' }, /none of the values/],
  [{ type: 'string', pattern: '^a+$', format: 'date' }, /no text matches/],
  [{ $ref: 'https://example.com/schema' }, /^#\/\$ref: only references inside/],
  [{ $ref: '#/$defs/none' }, /does not point to a schema/],
  [{ type: 'object', required: ['a'], additionalProperties: false }, /"a" is required but not allowed/],
  [{ type: 'text' }, /"text" is not a valid JSON type/],
  [{ type: 'integer', minimum: 5, maximum: 4 }, /no number is between/],
  [{ allOf: [{ type: 'string' }, { type: 'integer' }] }, /no value is both string and integer/],
  [{ type: 'array', items: false, minItems: 1 }, /no array/],
  [{ type: 'array', items: { type: 'integer' }, contains: { type: 'string' } }, /^#\/contains: no array contains/],
  [{ enum: [] }, /at least one entry/],
  [{ $defs: { hidden: { not: 1 } } }, /^#\/\$defs\/hidden\/not: a schema must be/],
]

const TWINS = {
  $defs: {
    a: { type: 'array', items: { anyOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/b' }, { type: 'null' }] } },
    b: { type: 'array', items: { anyOf: [{ $ref: '#/$defs/b' }, { $ref: '#/$defs/a' }, { type: 'null' }] } },
  },
  $ref: '#/$defs/a',
}

/** Beside those in `BEYOND`. */
const HOSTILE: [name: string, schema: SchemaObject, RegExp][] = [
  ['ways to read that double with each level', TWINS, /tells them apart/],
  ['extreme depth', nested(2000), /can nest at most 32 levels|plain JSON/],
  ['the length of property names', { properties: { ['description'.repeat(20_000)]: {} } }, /at most 131072 characters/],
  ['malformed schemas in an annotation', { 'x-a': { not: 1 }, $ref: '#/x-a' }, /^#\/x-a\/not: a schema must be/],
  [
    'large schemas in an annotation',
    { 'x-a': { const: 'x'.repeat(200_000) }, $ref: '#/x-a' },
    /at most 131072 characters/,
  ],
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
    'conditions that multiply',
    { type: 'object', dependentRequired: Object.fromEntries(many(30, (index) => [`p${index}`, [`q${index}`]])) },
    /too many combinations/,
  ],
  [
    'patterns that are each just small enough',
    named(100, (index) => [`p${index}`, { type: 'string', pattern: `(a|b)*a(a|b){9}c${index}`, minLength: 40 }]),
    /patterns of the schema are too complex|states/,
  ],
  ['huge minimum', { type: 'array', items: {}, minItems: 1_000_000 }, /can't be enforced above 2000/],
  ['repeated repetitions', string({ pattern: '^a{1000}{1000}$' }), /a repetition can't be repeated/],
  ['looking back', string({ pattern: '(a)\\1' }), /can't be enforced/],
  ['word borders', string({ pattern: '\\bword' }), /can't be enforced/],
  ['broken patterns', string({ pattern: '^[a-$' }), /incomplete|wrong order/],
  ['unclosed groups', string({ pattern: '(a' }), /unclosed/],
]

/** Each is just beyond one limit. */
const BEYOND: SchemaObject[] = [
  nested(33),
  named(2000, (index) => [`p${index}`, {}]),
  { enum: many(5001, (index) => index) },
  { const: 'x'.repeat(131_072) },
  { allOf: many(2, (outer) => ({ anyOf: many(10, (inner) => ({ required: [`p${outer}-${inner}`] })) })) },
  { pattern: 'a'.repeat(2001) },
  { pattern: `^${'('.repeat(33)}a${')'.repeat(33)}$` },
  { pattern: '^a{2001}$' },
  { pattern: '^(((a{1,99}){1,99}){1,99}){1,99}$' },
  { pattern: '(a|b)*a(a|b){40}$' },
  { minLength: 2001 },
  { type: 'integer', multipleOf: 1001 },
  { type: 'array', minItems: 1001, uniqueItems: true },
  { contains: { type: 'integer' }, minContains: 501 },
  { ...named(1900, (index) => [`p${index}`, {}]), minProperties: 10 },
  { patternProperties: Object.fromEntries(many(6, (index) => [`${index}`, { minimum: index }])) },
  named(50, (index) => [`p${index}`, { type: 'array', maxItems: 1500 + index }]),
  { const: '"'.repeat(70_000) },
  { ...named(1000, (index) => [`${1000 + index}`.repeat(25), {}]), additionalProperties: true },
]

describe('schemas that are rejected', () => {
  it.each(NOT_ENFORCEABLE)('says what is wrong with %j', (schema, reason) => {
    expect(rejection(schema)).toMatch(reason)
  })

  it.each(HOSTILE)('include %s', (_name, schema, reason) => {
    expect(rejection(schema)).toMatch(reason)
  })

  it('include none for its annotations, however long', () => {
    const text = 'x'.repeat(200_000)
    const annotations = { title: text, description: text, examples: [text], default: text, $comment: text, 'x-a': text }
    const properties = { description: { type: 'string', ...annotations }, title: { type: 'integer', ...annotations } }
    expect(rejection({ type: 'object', properties, ...annotations })).toBe('accepted')
  })

  it('include none for values that multiply if they are inverted', () => {
    const values = many(40, (index) => ({ [`p${index}`]: index }))
    expect(rejection({ not: { enum: [...values, ...values.map((value) => [value])] } })).toBe('accepted')
  })

  it('include one that contains itself as a value', () => {
    const schema: Record<string, unknown> = { type: 'array' }
    schema['items'] = schema
    expect(rejection(schema)).toMatch(/without cycles/)
  })
})

describe('the limits of schemas', () => {
  it('end the work on a schema as soon as one of them is reached', () => {
    const spend = vi.spyOn(WorkBudget.prototype, 'spend')
    const branches = many(24, (index) => ({ properties: { name: { pattern: `${index}x.*[a-f]{${index}}y` } } }))
    expect(rejection({ type: 'object', oneOf: branches })).toMatch(/too complex$/)
    expect(spend.mock.results.filter(({ type }) => type === 'throw').length).toBeLessThanOrEqual(1)
    spend.mockRestore()
  })

  it('leave room for what real schemas have: dozens of one-word patterns, and a pattern of a hundred words', () => {
    const tagged = many(48, (index) => ({
      type: 'object',
      properties: { type: { type: 'string', pattern: `^Kind${index}$` } },
      required: ['type'],
    }))
    const words = many(120, (index) => `zone${index % 12}-${index}`)
    expect(rejection({ oneOf: tagged })).toBe('accepted')
    expect(rejection({ type: 'string', pattern: `(${words.join('|')})` })).toBe('accepted')
  })

  it('are all on the page for users, with their errors', async () => {
    const page = await readFile(new URL('../../../../docs/schemas.md', import.meta.url), 'utf8')
    const [, section = ''] = page.split('## Limits')
    const listed = Array.from(section.matchAll(/^\|[^|]*\| `([^`]+)` +\|$/gm), ([, reason]) => reason)
    const reasons = BEYOND.map((schema) => rejection(schema).replace(/^\S+: /, ''))
    expect(new Set(reasons)).toEqual(new Set(listed))
  })
})
