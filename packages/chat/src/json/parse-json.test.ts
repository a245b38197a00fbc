import { describe, expect, it } from 'vitest'
import { excessError, parseJson } from './parse-json.ts'

function bytes(text: string): Buffer {
  return Buffer.from(text, 'utf8')
}

describe('parsing a body', () => {
  it.each(['{', '', ' ', '{"a":}', '{"a":1}}', "{'a':1}", '{"a":NaN}', '\u0000', '\uFEFF'])(
    '[C23] rejects %j',
    (text) => {
      expect(() => parseJson(bytes(text))).toThrow(expect.objectContaining({ code: 'invalid_json' }))
    },
  )

  it.each([
    ['bytes that are never used', [0xff, 0xfe]],
    ['a lone continuation byte', [0x80]],
    ['a cut character', [0xe2, 0x82]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
  ])('[C23] rejects %s, which is not UTF-8', (_, inside) => {
    expect(() => parseJson(Buffer.from([0x22, ...inside, 0x22]))).toThrow(
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
