import { describe, expect, it } from 'vitest'
import { isDeeperThan } from './json-depth.ts'
import { parseJson } from './read-body.ts'

function bytes(text: string): Buffer {
  return Buffer.from(text, 'utf8')
}

describe('bodies', () => {
  it.each(['{', '', ' ', '{"a":1}}', '\u0000'])('[C23] rejects %j', (text) => {
    expect(() => parseJson(bytes(text))).toThrow(expect.objectContaining({ code: 'invalid_json' }))
  })

  it('[C26b] rejects bytes that are not UTF-8', () => {
    expect(() => parseJson(Buffer.from([0x22, 0xff, 0xfe, 0x22]))).toThrow(
      expect.objectContaining({ code: 'invalid_json' }),
    )
  })

  it('[C26] skips a byte order mark', () => {
    expect(parseJson(bytes('\uFEFF{"a":1}'))).toEqual({ a: 1 })
  })

  it.each([
    ['[]', 1, false],
    ['[[]]', 1, true],
    ['{"a":[{}]}', 3, false],
    ['{"a":[{}]}', 2, true],
    ['["[[[["]', 1, false],
    ['["\\"[[", []]', 2, false],
    ['["\\\\", [[]]]', 2, true],
    ['[[],[],[]]', 2, false],
  ])('[C26a] %s is deeper than %i: %s', (text, limit, expected) => {
    expect(isDeeperThan(limit, bytes(text))).toBe(expected)
  })

  it('[C26a] rejects a million brackets without parsing them', () => {
    expect(() => parseJson(bytes('['.repeat(1_000_000)))).toThrow(expect.objectContaining({ code: 'invalid_json' }))
  })
})
