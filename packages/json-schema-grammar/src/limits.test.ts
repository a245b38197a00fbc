// Every limit on the size of a schema, compared with the page that lists them for users.

import { readFile } from 'node:fs/promises'
import { describe, expect, it, vi } from 'vitest'
import { WorkBudget } from './language/work-budget.ts'
import { SchemaError } from './schema/schema-error.ts'
import type { SchemaObject } from './schema/schema-object.ts'
import { schemaToGrammar } from './schema-to-grammar.ts'

const many = <Item>(count: number, item: (index: number) => Item) =>
  Array.from({ length: count }, (_, index) => item(index))
const named = (count: number, item: (index: number) => [string, unknown]): SchemaObject => ({
  type: 'object',
  properties: Object.fromEntries(many(count, item)),
})
const nested = (depth: number): SchemaObject => (depth === 0 ? {} : { type: 'array', items: nested(depth - 1) })

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

function reasonOf(schema: SchemaObject): string {
  try {
    schemaToGrammar(schema)
  } catch (error) {
    if (error instanceof SchemaError) return error.message.replace(/^\S+: /, '')
    throw error
  }
  return `accepted: ${JSON.stringify(schema).slice(0, 80)}`
}

describe('the limits of schemas', () => {
  it('[X5] end the work on a schema as soon as one of them is reached', () => {
    const spend = vi.spyOn(WorkBudget.prototype, 'spend')
    const branches = many(24, (index) => ({ properties: { name: { pattern: `${index}x.*[a-f]{${index}}y` } } }))
    expect(reasonOf({ type: 'object', oneOf: branches })).toMatch(/too complex$/)
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
    expect(reasonOf({ oneOf: tagged })).toContain('accepted')
    expect(reasonOf({ type: 'string', pattern: `(${words.join('|')})` })).toContain('accepted')
  })

  it('[X5] are all on the page for users, with their errors', async () => {
    const page = await readFile(new URL('../../../docs/schemas.md', import.meta.url), 'utf8')
    const [, section = ''] = page.split('## Limits')
    const listed = Array.from(section.matchAll(/^\|[^|]*\| `([^`]+)` +\|$/gm), ([, reason]) => reason)
    expect(new Set(BEYOND.map(reasonOf))).toEqual(new Set(listed))
  })
})
