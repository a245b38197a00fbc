import { describe, expect, it } from 'vitest'
import type { Token } from './native.ts'
import { createTokenBytes } from './token-bytes.ts'
import { tokenOrderOf } from './token-order.ts'
import { useTinyModel } from '../testing/use-tiny.ts'

const native = await useTinyModel({ slots: 1, contextLength: 512 })
const all = Array.from({ length: native.vocabulary.size }, (_, token) => token)

const sorted = (tokens: readonly Token[]) => tokens.toSorted((a, b) => a - b)

describe('the order of tokens', () => {
  it('holds each token with bytes once, except zero, which fits nowhere', () => {
    const bytes = createTokenBytes(native.vocabulary)
    const { tokens, ends, parts, insides } = tokenOrderOf(native.vocabulary)
    expect(sorted([...tokens, ...ends, ...parts, ...insides.map(({ token }) => token)])).toEqual(
      all.filter((token) => (bytes.raw(token)[0] ?? 0) !== 0),
    )
  })

  it('knows what each token shares with the one before, and where those with a first character are', () => {
    const bytes = createTokenBytes(native.vocabulary)
    const { tokens, shared, groups } = tokenOrderOf(native.vocabulary)
    const names = Array.from(tokens, (token) => Array.from(bytes.raw(token).toString('utf8')))
    for (const [index, name] of names.entries())
      expect(names[index - 1]?.slice(0, shared[index]) ?? []).toEqual(name.slice(0, shared[index]))
    const { begin, end } = groups.get(0x7b)!
    const braces = names.map((name, index) => (name[0] === '{' ? index : -1)).filter((index) => index !== -1)
    expect(braces).toEqual(Array.from({ length: end - begin }, (_, index) => begin + index))
  })
})
