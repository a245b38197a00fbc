import { describe, expect, it } from 'vitest'
import { findUnenforced } from './schema-parts.ts'

describe('findUnenforced', () => {
  it('finds a keyword at any depth', () => {
    const deep = {
      type: 'object',
      properties: { list: { type: 'array', items: { anyOf: [{ type: 'string', minLength: 2 }] } } },
    }
    expect(findUnenforced(deep, [])).toEqual({ keyword: 'minLength', place: '#/properties/list/items/anyOf/0' })
    expect(findUnenforced(deep, ['length'])).toBeUndefined()
    expect(findUnenforced({ $defs: { a: { not: {} } } }, [])).toEqual({ keyword: 'not', place: '#/$defs/a' })
  })

  it('does not mistake property names for keywords', () => {
    expect(
      findUnenforced({ type: 'object', properties: { pattern: { type: 'string' }, not: { type: 'null' } } }, []),
    ).toBeUndefined()
  })

  it('tells integer ranges from number ranges', () => {
    expect(findUnenforced({ type: 'integer', minimum: 1 }, ['integer-range'])).toBeUndefined()
    expect(findUnenforced({ type: 'number', minimum: 1 }, ['integer-range'])?.keyword).toBe('minimum')
  })
})
