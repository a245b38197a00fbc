import { describe, expect, it } from 'vitest'
import { possibleCharacters, readCharacters } from './characters.ts'

const bytes = (text: string) => Buffer.from(text)
const codes = (text: string) => Array.from(text, (character) => character.codePointAt(0))

describe('the characters of a token', () => {
  it.each(['a', 'é', '日本', 'a🙂b'])('are those of its text: %s', (text) => {
    expect(readCharacters(bytes(text))).toEqual({ codes: codes(text), unfinished: undefined })
  })

  it('can be spread over several tokens', () => {
    const all = bytes('x🙂y')
    for (let cut = 2; cut < 5; cut++) {
      const first = readCharacters(all.subarray(0, cut))
      expect(first?.codes).toEqual(codes('x'))
      expect(readCharacters(all.subarray(cut), first?.unfinished)?.codes).toEqual(codes('🙂y'))
    }
  })

  it('are none if it begins inside a character that nothing began, or breaks one off', () => {
    expect(readCharacters(Uint8Array.of(0x99))).toBeUndefined()
    expect(readCharacters(bytes('a'), { value: 3, missing: 1 })).toBeUndefined()
    expect(readCharacters(Uint8Array.of(0))).toBeUndefined()
  })

  it('can become those that begin with the same bytes', () => {
    const range = (...begin: number[]) => possibleCharacters(readCharacters(Uint8Array.from(begin))!.unfinished!)
    expect(range(0xc3)).toEqual([0xc0, 0xff])
    expect(range(0xe0)).toEqual([0x800, 0xfff])
    expect(range(0xf0)).toEqual([0x10000, 0x3ffff])
    expect(range(0xc1)).toBeUndefined()
  })
})
