import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadTinyModel } from '../testing/tiny-model.ts'
import type { Native, Token } from './native.ts'
import { createTokenBytes } from './token-bytes.ts'
import { findFitting, tokenOrderOf } from './token-order.ts'

const ANY = { tokens: Number.POSITIVE_INFINITY, comparisons: Number.POSITIVE_INFINITY }
const GRAMMARS = ['root ::= "ab"', 'root ::= "zebra crossing" | " zigzag"', 'root ::= [^"]*', 'root ::= "é" | "日本"']

let native: Native
let all: Token[]
beforeAll(async () => {
  native = await loadTinyModel({ slots: 1, contextLength: 512 })
  all = Array.from({ length: native.vocabulary.size }, (_, token) => token)
})
afterAll(() => native.dispose())

const sorted = (tokens: readonly Token[] | undefined) => tokens?.toSorted((a, b) => a - b)

describe('the order of tokens', () => {
  it('holds each token with bytes once', () => {
    const bytes = createTokenBytes(native.vocabulary)
    const { tokens, ends } = tokenOrderOf(native.vocabulary)
    expect(sorted([...tokens, ...ends])).toEqual(all.filter((token) => bytes.raw(token).length > 0))
  })

  it.each(GRAMMARS)('finds all tokens that a grammar allows: %s', async (text) => {
    const grammar = await native.compileGrammar(text)
    const state = grammar.start()
    const fits = (token: Token) => grammar.allows(state, token)
    expect(sorted(findFitting(tokenOrderOf(native.vocabulary), fits, ANY))).toEqual(all.filter(fits))
  })

  it.each(['root ::= "é" | "日本"', 'root ::= [é日]*'])('finds the rest of a character: %s', async (text) => {
    const grammar = await native.compileGrammar(text)
    for (const character of ['é', '日']) {
      const state = grammar.start()
      grammar.accept(state, native.vocabulary.tokenize(character, false)[0]!)
      const fits = (token: Token) => grammar.allows(state, token)
      const found = sorted(findFitting(tokenOrderOf(native.vocabulary), fits, ANY))
      expect(found).toEqual(all.filter(fits))
      expect(found).not.toEqual([])
    }
  })

  it('finds the end of a reply where a grammar has come to its end, and nothing else', async () => {
    const grammar = await native.compileGrammar('root ::= "a"')
    const state = grammar.start()
    for (const token of native.vocabulary.tokenize('a', false)) grammar.accept(state, token)
    const found = findFitting(tokenOrderOf(native.vocabulary), (token) => grammar.allows(state, token), ANY)
    expect(sorted(found)).toEqual(all.filter((token) => native.vocabulary.isEnd(token)))
  })

  it('compares few of them where few fit', () => {
    const bytes = createTokenBytes(native.vocabulary)
    let comparisons = 0
    const found = findFitting(
      tokenOrderOf(native.vocabulary),
      (token) => comparisons++ >= 0 && bytes.raw(token)[0] === 0x22,
      ANY,
    )
    expect(found?.length).toBeGreaterThan(1)
    expect(comparisons).toBeLessThan(native.vocabulary.size / 2)
  })

  it('stops at its limits', () => {
    const order = tokenOrderOf(native.vocabulary)
    let comparisons = 0
    const count = (isFitting: boolean) => () => comparisons++ >= 0 && isFitting
    expect(findFitting(order, count(true), { ...ANY, tokens: 9 })).toBeUndefined()
    expect(findFitting(order, count(false), { ...ANY, comparisons: 9 })).toBeUndefined()
    expect(comparisons).toBeLessThan(40)
  })
})
