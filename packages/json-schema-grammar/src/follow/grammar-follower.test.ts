import { describe, expect, it } from 'vitest'
import { GrammarFollower, mayContinue, nextCharacters } from './grammar-follower.ts'

/** The place after a text; undefined if it is more than can be followed. */
function follow(follower: GrammarFollower, text: string) {
  let place = follower.start()
  for (const character of text) place = place && follower.step(place, character.codePointAt(0)!)
  return place
}

const next = (grammar: string, text: string) => {
  const place = follow(new GrammarFollower(grammar), text)
  return place && String.fromCodePoint(...[...(nextCharacters(place, 99) ?? [])].toSorted((a, b) => a - b))
}

/** Which texts it allows: see schema-to-grammar.test.ts. */
describe('GrammarFollower', () => {
  it('knows which characters can come next', () => {
    const grammar = 'root ::= "ab" | "a" [0-3]{2} | other*\nother ::= "x" ("y" | root)?'
    expect(next(grammar, '')).toBe('ax')
    expect(next(grammar, 'a')).toBe('0123b')
    expect(next(grammar, 'a1')).toBe('0123')
    expect(next(grammar, 'a12')).toBe('')
    expect(next(grammar, 'x')).toBe('axy')
    const place = new GrammarFollower('root ::= [à-ý]').start()!
    expect([mayContinue(place, 0xc0, 0xff), mayContinue(place, 0x100, 0x1ff)]).toEqual([true, false])
    expect(nextCharacters(place, 9)).toBeUndefined()
  })

  it.each([
    'root ::= (\n  "a"\n)',
    'root ::= missing',
    'root ::= "a" <[12]>',
    'root ::= [^é]',
    'root ::= [0-9]{1,3000}',
    `root ::= ${'('.repeat(200)}"a"${')'.repeat(200)}`,
    `root ::= ${Array.from({ length: 3000 }, (_, index) => `"${index}"`).join(' | ')}`,
  ])('gives up a grammar that is more than it can follow: %.40s', (grammar) => {
    expect(new GrammarFollower(grammar).start()).toBeUndefined()
  })

  it('finds its way again after it has forgotten places', () => {
    const letters = (count: number) => 'abcdef'.repeat(count / 6)
    const follower = new GrammarFollower('root ::= [a-z]{0,1998} "." [a-z]{0,1998} "." [a-z]{0,1998} "." [a-z]{0,1998}')
    const text = [letters(1998), letters(1998), letters(1998), letters(1998)].join('.')
    expect(follow(follower, text)?.mayEnd).toBe(true)
    // Each character leads to a new place, and each place takes several entries.
    expect(follower.kept).toBeLessThan(3 * text.length)
    const { work } = follower
    expect(follow(follower, text)?.mayEnd).toBe(true)
    expect(follower.work).toBe(2 * work)
    expect(follow(follower, `${text}x`)?.mayEnd).toBe(false)
  })
})
