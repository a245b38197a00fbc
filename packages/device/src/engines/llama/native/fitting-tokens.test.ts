import { GrammarFollower } from '@hearth/json-schema-grammar'
import { describe, expect, it } from 'vitest'
import { advance, findAllFitting, findFitting, type FewLimits, type Position } from './fitting-tokens.ts'
import type { Token } from './native.ts'
import { createTokenBytes } from './token-bytes.ts'
import { tokenOrderOf } from './token-order.ts'
import { useTinyModel } from '../testing/use-tiny.ts'

const ANY = { tokens: 1e9, characters: 5e6, work: 1e9 }
const GRAMMARS = [
  'root ::= "ab"',
  'root ::= "zebra crossing" | " zigzag"',
  'root ::= [^"]*',
  'root ::= "é" | "日本"',
  'root ::= ("a" | "be")+ thing{2,3} [0-9]?\nthing ::= "x" | ""',
]

const native = await useTinyModel({ slots: 1, contextLength: 512 })
const all = Array.from({ length: native.vocabulary.size }, (_, token) => token)

const sorted = (tokens: readonly Token[] | undefined) => tokens?.toSorted((a, b) => a - b)

/** The tokens after `begun`, as found here, and as the library says. */
async function compare(text: string, begun: readonly Token[], limits: FewLimits = ANY) {
  const grammar = await native.compileGrammar(text)
  const state = grammar.start()
  const follower = new GrammarFollower(text)
  const bytes = createTokenBytes(native.vocabulary)
  let position: Position = { place: follower.start()!, unfinished: undefined }
  for (const token of begun) {
    grammar.accept(state, token)
    position = advance(follower, position, bytes.raw(token)) as Position
  }
  const order = tokenOrderOf(native.vocabulary)
  const found = findFitting(order, follower, position, limits)
  const { work } = follower
  const every = findAllFitting(order, follower, position, limits.work)
  return {
    found: sorted(found),
    every: sorted(every),
    allowed: all.filter((token) => grammar.allows(state, token)),
    work,
  }
}

describe('findFitting', () => {
  const afterPart = (character: string) => native.vocabulary.tokenize(character, false).slice(0, 1)
  it.each<[string, Token[]]>([
    ...GRAMMARS.map((text): [string, Token[]] => [text, []]),
    ...['root ::= "é" | "日本"', 'root ::= [é日]*'].flatMap((text): [string, Token[]][] => [
      [text, afterPart('é')],
      [text, afterPart('日')],
    ]),
  ])('finds all tokens that a grammar allows, or the rest of a character: %s after %j', async (text, begun) => {
    const { found, every, allowed } = await compare(text, begun)
    expect(found).toEqual(allowed)
    expect(every).toEqual(allowed)
    expect(found).not.toEqual([])
  })

  it('finds the end of a reply where a grammar has come to its end, and nothing else', async () => {
    const { found } = await compare('root ::= "a"', native.vocabulary.tokenize('a', false))
    expect(found).toEqual(all.filter((token) => native.vocabulary.isEnd(token)))
  })

  it('looks at few frames where few tokens fit', async () => {
    const { found, work } = await compare('root ::= "\\x22" [^"]*', [])
    expect(found?.length).toBeGreaterThan(1)
    expect(work).toBeLessThan(native.vocabulary.size / 2)
  })

  it.each([{ tokens: 9 }, { characters: 9 }, { work: 9 }])('stops at its limits: %j', async (limit) => {
    const { found, every, work } = await compare('root ::= [a-z]+', [], { ...ANY, ...limit })
    expect(found).toBeUndefined()
    expect(work).toBeLessThan(100)
    expect(every === undefined).toBe('work' in limit)
  })
})
