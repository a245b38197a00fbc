import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ThinkTags } from './think-tags.ts'

describe('ThinkTags', () => {
  const show = (pieces: readonly string[]): string => {
    const tags = new ThinkTags(false)
    const shown = pieces.map((piece) => tags.push(Buffer.from(piece)).bytes)
    return Buffer.concat([...shown, tags.flush()]).toString()
  }

  it('hides the text between the tags, split anywhere', () => {
    const text = '\n<think>\nLet <me> think é\n</think>\n\n Hello <think> again'
    fc.assert(
      fc.property(fc.array(fc.nat(text.length), { maxLength: 8 }), (cuts) => {
        const at = [0, ...cuts.toSorted((a, b) => a - b), text.length]
        expect(show(at.slice(1).map((end, index) => text.slice(at[index], end)))).toBe('Hello <think> again')
      }),
    )
  })

  it('leaves other text unchanged', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), (pieces) => {
        fc.pre(!pieces.join('').trimStart().startsWith('<think>'))
        expect(show(pieces)).toBe(pieces.join(''))
      }),
    )
  })

  it.each([
    '[THINK]hm[/THINK]',
    '<mm:think>hm</mm:think>',
    '<seed:think>hm</seed:think>',
    '<|channel>thought\nhm<channel|>',
  ])('hides %s', (thinking) => {
    expect(show([`${thinking}\nHello`])).toBe('Hello')
    expect(show([...Array.from(thinking), 'H', 'i'])).toBe('Hi')
  })

  it('shows the start of a tag that never became one', () => {
    expect(show(['<thi'])).toBe('<thi')
  })
})
