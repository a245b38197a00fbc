import { describe, expect, it } from 'vitest'
import { Past, type Foreseen } from './past.ts'

const toTokens = (text: string) => Array.from(text, (letter) => letter.codePointAt(0)!)
const toText = (tokens: readonly number[]) => String.fromCodePoint(...tokens)

/** What is foreseen after each text, by a past that has seen the texts before. */
function foresee(
  texts: readonly string[],
  most = 4,
  worth = ({ match }: Foreseen) => match,
): { text: string; match: number } {
  const past = new Past()
  const [last] = texts
    .map((text) => {
      const tokens = toTokens(text)
      return past.foresee(tokens.slice(0, -1), tokens.at(-1)!, most, worth)
    })
    .slice(-1)
  return { text: toText(last!.tokens), match: last!.match }
}

/** The text, and what it was before each of its last letters. */
function growing(text: string, letters: number): string[] {
  return Array.from({ length: letters + 1 }, (_, index) => text.slice(0, text.length - letters + index))
}

describe('the past of a stream', () => {
  const copying = 'one two three; xx two four; one two'
  it.each<[string, string[], string, number?]>([
    ['foresees what came after the same tokens', ['the cat sat. the cat'], ' sat'],
    ['foresees nothing after tokens that are new', ['the cat sat on a mat'], ''],
    ['foresees nothing after too few tokens that are the same', ['abcdef bc'], ''],
    ['foresees nothing after too few tokens', ['ab'], ''],
    ['foresees nothing after one token', ['a'], ''],
    ['prefers the latest of several places', ['abc1 abc2 abc'], '2 ab'],
    [
      'goes on copying from a place that it began with, if that fits better than a later one',
      [copying.slice(0, -4), copying.slice(0, -1), copying],
      ' thr',
    ],
    ['looks for another place when a copy turns out wrong', ['abcde abcxyz abcd', 'abcde abcxyz abcxy'], 'z ab'],
    ['goes on with itself when a copy reaches the latest tokens', ['la la la'], ' la la ', 7],
    ['goes on with itself, token by token', ['aaaa'], 'aaa', 3],
  ])('%s', (_, texts, expected, most) => {
    const { text, match } = foresee(texts, most)
    expect([text, match > 0]).toEqual([expected, expected !== ''])
  })

  it('says how many tokens were the same', () => {
    expect(foresee(['the cat sat. the cat']).match).toBe(7)
  })

  it('goes on after a value that is another, at the first token that is the same again', () => {
    const text = '{the name: Ada, age: 36} {the name: Grace,'
    expect(foresee(growing(text, 6))).toEqual({ text: ' age', match: 1 })
    expect(foresee([text])).toEqual({ text: '', match: 0 })
    expect(foresee(growing('{the name: Ada; then something much longer, age} {the name: Grace,', 6)).text).toBe('')
  })

  it('takes the copy that is worth more, if it has two', () => {
    const texts = growing('{id: 5, name: x, height: 4} [75, y] {id: 75, n', 5).slice(0, -2)
    expect(foresee(texts, 4).text).toBe(' y] ')
    expect(foresee(texts, 4, ({ how }) => (how === 'found' ? 0 : 1)).text).toBe(' nam')
  })

  it('finds places in a text of any length', () => {
    const text = Array.from({ length: 5_000 }, (_, index) => `${index * 7_919}`).join(' ')
    expect(foresee([text.slice(0, 100), `${text} ${text.slice(0, 40)}`], 10).text).toBe(text.slice(40, 50))
    expect(foresee([`${text} ${text.slice(0, 40)}`], 10).text).toBe(text.slice(40, 50))
  })
})
