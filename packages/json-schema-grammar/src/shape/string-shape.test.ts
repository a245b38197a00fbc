import { describe, expect, it } from 'vitest'
import { schemaToGrammar } from '../schema-to-grammar.ts'
import { prepareFormats } from './string-shape.ts'

describe('prepareFormats', () => {
  it('changes no grammar', () => {
    const schema = { type: 'string', format: 'date-time' }
    const before = schemaToGrammar(schema)
    expect(Array.from(prepareFormats()).length).toBeGreaterThan(0)
    expect(schemaToGrammar(schema)).toEqual(before)
  })
})
