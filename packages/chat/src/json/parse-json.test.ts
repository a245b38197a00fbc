import { describe, expect, it } from 'vitest'
import { excessError, parseJson } from './parse-json.ts'

function bytes(text: string): Buffer {
  return Buffer.from(text, 'utf8')
}

describe('parsing a body', () => {
  it.each(['{', '', ' ', '{"a":1}}', '\u0000'])('[C23] rejects %j', (text) => {
    expect(() => parseJson(bytes(text))).toThrow(expect.objectContaining({ code: 'invalid_json' }))
  })

  it('[C23] rejects bytes that are not UTF-8', () => {
    expect(() => parseJson(Buffer.from([0x22, 0xff, 0xfe, 0x22]))).toThrow(
      expect.objectContaining({ code: 'invalid_json' }),
    )
  })

  it('[C26] skips a byte order mark', () => {
    expect(parseJson(bytes('\uFEFF{"a":1}'))).toEqual({ a: 1 })
  })

  it('[C26a] [C26f] says which limit a body exceeds', () => {
    expect(excessError('depth')).toMatchObject({
      code: 'invalid_json',
      message: expect.stringContaining('64 levels') as string,
    })
    expect(excessError('values')).toMatchObject({
      code: 'invalid_json',
      message: expect.stringContaining('250000 values') as string,
    })
  })
})
