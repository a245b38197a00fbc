import { describe, expect, it } from 'vitest'
import { asFields, asList, count, isCount, isName, parseFields, readList, text, word } from './fields.ts'

const NO_OBJECTS = [undefined, null, true, 1, 'text', ['a list']]

describe('fields of JSON that somebody else wrote', () => {
  it('are those of an object, and none of anything else', () => {
    expect(parseFields('{"a":1}')).toEqual({ a: 1 })
    expect(asFields({ a: 1 })).toEqual({ a: 1 })
    for (const value of NO_OBJECTS) {
      expect(asFields(value)).toEqual({})
      expect(parseFields(JSON.stringify(value) ?? '')).toBeUndefined()
    }
    expect(parseFields('{"a":')).toBeUndefined()
  })

  it('are absent if they are of another type', () => {
    const fields = { text: 'hello', number: 3, fraction: 0.5, debt: -1, unsafe: 2 ** 53, none: null }
    const names = Object.keys(fields)
    expect(names.filter((name) => text(fields, name) !== undefined)).toEqual(['text'])
    expect(names.filter((name) => count(fields, name) !== undefined)).toEqual(['number'])
    expect(names.filter((name) => word(fields, name, ['hello', 'world']) !== undefined)).toEqual(['text'])
    expect(word(fields, 'text', ['world'])).toBeUndefined()
  })

  it('have lists whose items are all of one type, or no list', () => {
    const read = (item: unknown): string | undefined => (isName(item) ? item : undefined)
    expect(readList(['a', 'b'], 2, read)).toEqual(['a', 'b'])
    expect([readList(['a', 1], 2, read), readList(['a', 'b'], 1, read), readList({}, 2, read)]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    expect([asList([1, 'a']), asList({ length: 1 }), asList(undefined)]).toEqual([[1, 'a'], [], []])
  })

  it('have bounds', () => {
    expect([isName(''), isName('a'), isName('a'.repeat(256)), isName('a'.repeat(257))]).toEqual([
      false,
      true,
      true,
      false,
    ])
    expect([isCount(0), isCount(0, 1), isCount(5, 0, 4), isCount('1')]).toEqual([true, false, false, false])
  })
})
