import { describe, expect, it } from 'vitest'
import { schemaToGrammar } from './schema-to-grammar.ts'
import { warmUp } from './warm-up.ts'

describe('warmUp', () => {
  it('changes no grammar', () => {
    const schema = { type: 'string', format: 'date-time' }
    const before = schemaToGrammar(schema)
    expect(Array.from(warmUp()).length).toBeGreaterThan(0)
    expect(schemaToGrammar(schema)).toEqual(before)
  })
})
