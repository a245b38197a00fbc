import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { StopSequences, wholeCharacters } from './stop-sequences.ts'

function run(stops: string[], pieces: (string | Buffer)[]): { texts: string[]; isStopped: boolean } {
  const stop = new StopSequences(stops)
  const texts: string[] = []
  for (const piece of pieces) {
    const { text, isStopped } = stop.push(Buffer.from(piece))
    texts.push(text)
    if (isStopped) return { texts, isStopped }
  }
  return { texts, isStopped: false }
}

describe('StopSequences', () => {
  it.each<[string, string[], string[], string[]]>([
    ['keeps the stop sequence and drops the rest of its token', ['">'], ['a', '">xyz'], ['a', '">']],
    ['finds a stop sequence that spans tokens', ['4 5'], ['3', ' 4', ' ', '5 6'], ['3', ' 4', ' ', '5']],
    ['ends at the stop sequence that is complete first', ['bcd', 'c'], ['ab', 'cd'], ['ab', 'c']],
    ['finds a stop sequence after a false start of itself', ['aab'], ['a', 'a', 'a', 'b!'], ['a', 'a', 'a', 'b']],
  ])('[E52] %s', (_, stops, pieces, texts) => {
    expect(run(stops, pieces)).toEqual({ texts, isStopped: true })
  })

  it('[E52] never stops without a stop sequence', () => {
    expect(run([''], ['a', 'b']).isStopped).toBe(false)
  })

  it('[J99] holds back a character until it is complete', () => {
    const bytes = [...Buffer.from('é🙂')].map((byte) => Buffer.from([byte]))
    expect(run([], bytes).texts).toEqual(['', 'é', '', '', '', '🙂'])
  })

  it('drops an incomplete character at the end of the reply', () => {
    expect(run([], ['a', Buffer.from([0xf0, 0x9f])]).texts.join('')).toBe('a')
  })

  it('replaces bytes that never become a character', () => {
    expect(run([], [Buffer.from([0xff]), Buffer.from([0x80]), 'a']).texts.join('')).toBe('\ufffd\ufffda')
  })

  it('[E52] [J99] gives the same text however the bytes are split', () => {
    const cut = fc.record({
      text: fc.string({ unit: fc.constantFrom('a', 'b', 'é', '🙂', '\n') }),
      stops: fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'é', '🙂'), minLength: 1, maxLength: 3 }), {
        maxLength: 4,
      }),
      sizes: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1 }),
    })
    fc.assert(
      fc.property(cut, ({ text, stops, sizes }) => {
        const bytes = Buffer.from(text)
        const pieces: Buffer[] = []
        for (let at = 0, index = 0; at < bytes.length; index++) {
          const size = sizes[index % sizes.length]!
          pieces.push(bytes.subarray(at, at + size))
          at += size
        }
        const ends = stops
          .map((stop) => text.indexOf(stop) + stop.length)
          .filter((_, index) => text.includes(stops[index]!))
        const expected = ends.length === 0 ? text : text.slice(0, Math.min(...ends))
        expect(run(stops, pieces).texts.join('')).toBe(expected)
      }),
    )
  })

  it('[J99] counts whole characters', () => {
    const smile = Buffer.from('🙂')
    for (const length of [1, 2, 3]) expect(wholeCharacters(smile.subarray(0, length))).toBe(0)
    expect(wholeCharacters(smile)).toBe(4)
  })

  it('makes one replacement for a whole ill-formed sequence, and loses nothing around it', () => {
    const text = new StopSequences([])
    const said = [[0x61, 0xf0], [0x80], [0x81], [0x81, 0x62, 0xed, 0xa0, 0x80, 0xc3, 0xa9, 0x80]]
    expect(said.map((bytes) => text.push(Buffer.from(bytes)).text).join('')).toBe('a\u{fffd}b\u{fffd}é\u{fffd}')
  })
})
