import { describe, expect, it } from 'vitest'
import { GrammarRules } from './grammar/grammar-rules.ts'
import { schemaToGrammar } from './schema-to-grammar.ts'
import { addSchema } from './convert/convert.ts'
import { matches } from './testing/matches.ts'
import { SCHEMA_EXAMPLES } from './testing/schema-examples.ts'

function allows(schema: object, text: string): boolean {
  const rules = new GrammarRules()
  return matches(addSchema({ ...schema }, rules), rules, text)
}

describe('the grammar of a schema', () => {
  it.each(SCHEMA_EXAMPLES)('enforces %s', (_name, schema, accepted, rejected) => {
    expect(accepted.filter((text) => !allows(schema, text))).toEqual([])
    expect(rejected.filter((text) => allows(schema, text))).toEqual([])
  })

  it('is the same text every time', () => {
    for (const [, schema] of SCHEMA_EXAMPLES) expect(schemaToGrammar(schema)).toEqual(schemaToGrammar({ ...schema }))
  })

  it('is the same with annotations, unknown keywords and unknown formats', () => {
    const name = { type: 'string' }
    const remarks = { title: 'A', description: 'B', default: 'C', examples: ['D'], 'x-own': true, format: 'password' }
    expect(schemaToGrammar({ type: 'object', properties: { name: { ...name, ...remarks } } })).toEqual(
      schemaToGrammar({ type: 'object', properties: { name } }),
    )
  })

  it('has each rule once, however often a schema repeats itself', () => {
    const point = { type: 'object', properties: { x: { type: 'integer' }, y: {} }, required: ['x', 'y'] }
    const part = (index: number) => ({ ...point, title: `${index}` })
    const rulesOf = (count: number) => {
      const properties = Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, part(index)]))
      return schemaToGrammar({ type: 'object', properties }).text.split('\n').length
    }
    // Each property has its name, and what comes after it: as the first one, and after others.
    expect(rulesOf(30) - rulesOf(10)).toBe(20 * 3)
  })
})
