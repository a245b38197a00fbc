import { describe, expect, it } from 'vitest'
import { createUserCode, readUserCode } from './user-code.ts'

describe('user codes', () => {
  it('have eight letters that cannot be mistaken for each other, and are different every time', () => {
    const codes = Array.from({ length: 200 }, createUserCode)
    for (const { text } of codes) expect(text).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
    expect(new Set(codes.map(({ text }) => text)).size).toBe(codes.length)
  })

  it('are read in any case, with or without dash and spaces', () => {
    const { text, selector, digest } = createUserCode()
    for (const typed of [text, text.toLowerCase(), text.replace('-', ''), ` ${text.replace('-', ' - ')} `])
      expect(readUserCode(typed)).toEqual({ selector, digest })
    expect(digest).not.toContain(selector)
  })

  it.each(['', 'BCDF', 'BCDF-GHJ', 'BCDF-GHJKL', 'AAAA-AAAA', 'BCDF-GHJ1', 'BCDF_GHJK'])('are never %j', (typed) => {
    expect(readUserCode(typed)).toBeUndefined()
  })
})
