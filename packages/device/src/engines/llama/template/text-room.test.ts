import { describe, expect, it } from 'vitest'
import { isLongerThan, roomLeft, textRoom } from './text-room.ts'
import { useTinyModel } from '../testing/use-tiny.ts'

const native = await useTinyModel({ slots: 1, contextLength: 64 })

const UNKNOWN = { characters: Infinity, length: Infinity }

describe('the text that can fit into a context', () => {
  it('is never less than what its tokens hold', () => {
    const { vocabulary } = native
    const texts = ['a', '=', '☃', '😀', '\n', ' ', '\u2581', '\u00a0', '\ud800', 'question', ' the', '\0', '\r\n\t']
    const mixed = texts.flatMap((one) => texts.map((other) => `${one}${other}`))
    for (const text of [...texts, ...mixed]) {
      const long = text.repeat(500)
      const contextLength = vocabulary.tokenize(long, true).length
      const room = textRoom({ vocabulary, contextLength })
      expect(isLongerThan([long], room.characters), JSON.stringify(text)).toBe(false)
      expect(room.length, JSON.stringify(text)).toBeGreaterThanOrEqual(long.length)
    }
  })

  it('is less than a text of single letters that is many times too long', () => {
    expect(isLongerThan(['q z '.repeat(64 * 100)], textRoom(native).characters)).toBe(true)
  })

  it.each([
    ['normalizes', { keepsText: false }],
    ['lacks a byte', { kind: () => 'control' as const, text: () => '<|x|>' }],
  ])('is unknown if the vocabulary %s', (_what, change) => {
    expect(textRoom({ contextLength: 64, vocabulary: { ...native.vocabulary, ...change } })).toEqual(UNKNOWN)
  })

  it('has no limit on white space if a token swallows it', () => {
    const vocabulary = { ...native.vocabulary, strips: (token: number) => token === 3 }
    const { characters, length } = textRoom({ ...native, vocabulary })
    expect([characters, length]).toEqual([textRoom(native).characters, Infinity])
  })

  it('counts all texts together, but no white space', () => {
    expect(isLongerThan(['ab', ' \n\t\u00a0\u3000\u2581', 'c'], 3)).toBe(false)
    expect(isLongerThan(['ab', '   ', 'cd'], 3)).toBe(true)
  })

  it('is counted a million characters at a time, and no further than needed', () => {
    const blank = '\n'.repeat(3_000_000)
    expect([...roomLeft(['a', blank, 'b'], 2)]).toEqual([1, 1])
    expect([...roomLeft(['a', 'b', 'c', 'd'], 3)]).toEqual([-1])
    expect([...roomLeft(['a', 'b'], 3)]).toEqual([])
  })
})
