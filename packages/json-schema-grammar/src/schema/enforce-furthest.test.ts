import { describe, expect, it } from 'vitest'
import { GrammarRules } from '../grammar/grammar-rules.ts'
import { matches } from '../testing/matches.ts'
import { addSchema } from '../convert/convert.ts'
import { enforceFurthest } from './enforce-furthest.ts'
import type { SchemaObject } from './schema-object.ts'

function allowed(schema: SchemaObject, texts: readonly string[]): string[] {
  const rules = new GrammarRules()
  const root = enforceFurthest(schema, (relaxed) => addSchema(relaxed, rules))
  rules.write(root)
  return texts.filter((text) => matches(root, rules, text))
}

const object = (properties: SchemaObject, more: SchemaObject = {}) => ({ type: 'object', properties, ...more })

describe('a schema that is enforced as far as possible', () => {
  it('loses only the keyword that can’t be enforced', () => {
    const counted = { contains: { type: 'string' }, minContains: 2 }
    const tags = { type: 'array', items: { type: 'string' }, uniqueItems: true, maxItems: 2, ...counted }
    const schema = object({ tags, n: { type: 'integer' } }, { required: ['tags'] })
    expect(allowed(schema, ['{"tags":["a","a"]}', '{"tags":["a","b","c"]}', '{"tags":[1]}', '{}'])).toEqual([
      '{"tags":["a","a"]}',
    ])
  })

  it('loses a negation as a whole, not the inside of it', () => {
    const schema = object({ a: { type: 'string', not: { pattern: '^\\p{L}$' } }, b: { type: 'null' } })
    expect(allowed(schema, ['{"a":"x"}', '{"a":1}', '{"b":1}'])).toEqual(['{"a":"x"}'])
  })

  it('keeps the rest when a definition can’t be enforced', () => {
    const $defs = { word: { type: 'string', pattern: '\\bx\\b' } }
    const schema = object({ a: { $ref: '#/$defs/word' }, b: { enum: [1] } }, { $defs })
    expect(allowed(schema, ['{"a":"y","b":1}', '{"a":1}', '{"b":2}'])).toEqual(['{"a":"y","b":1}'])
  })

  it.each([
    ['a reference to elsewhere', object({ a: { $ref: 'https://example.com/a' } })],
    ['a type that doesn’t exist', object({ a: { type: 'text' } })],
    ['a required property that isn’t allowed', { type: 'object', required: ['a'], additionalProperties: false }],
    ['too many alternatives', object({ a: { allOf: Array.from({ length: 9 }, () => ({ anyOf: alternatives() })) } })],
    ['too many properties', object(Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`p${index}`, {}])))],
    ['nothing but cycles', { $ref: '#' }],
  ])('is never rejected for %s', (_name, schema) => {
    expect(() => allowed(schema, [])).not.toThrow()
  })
})

let made = 0
function alternatives(): SchemaObject[] {
  return Array.from({ length: 9 }, () => ({ required: [`p${made++}`] }))
}
