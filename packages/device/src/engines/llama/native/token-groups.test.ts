import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadTinyModel } from '../testing/tiny-model.ts'
import type { Native } from './native.ts'
import { createTokenBytes } from './token-bytes.ts'
import { narrowTokens, tokenGroupsOf } from './token-groups.ts'

let native: Native
beforeAll(async () => void (native = await loadTinyModel({ slots: 1, contextLength: 512 })))
afterAll(() => native.dispose())

describe('token groups', () => {
  it('hold each token with bytes once', () => {
    const { vocabulary } = native
    const bytes = createTokenBytes(vocabulary)
    const all = Array.from({ length: vocabulary.size }, (_, token) => token).filter(
      (token) => bytes.raw(token).length > 0,
    )
    const found = narrowTokens(tokenGroupsOf(vocabulary), () => true)
    expect(found.toSorted((a, b) => a - b)).toEqual(all)
  })

  it('leave out tokens that begin with a byte that doesn’t fit, and keep the others', () => {
    const bytes = createTokenBytes(native.vocabulary)
    const beginsWithQuote = (token: number) => bytes.raw(token)[0] === 0x22
    const found = narrowTokens(tokenGroupsOf(native.vocabulary), beginsWithQuote)
    expect(found.length).toBeLessThan(native.vocabulary.size / 2)
    const quoted = Array.from({ length: native.vocabulary.size }, (_, token) => token).filter(beginsWithQuote)
    for (const token of quoted) expect(found).toContain(token)
  })
})
