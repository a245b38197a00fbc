import { describe, expect, it } from 'vitest'
import { checkNumberedText, numberedText } from './numbered-text.ts'

describe('numbered text', () => {
  it('counts the tokens of a whole text and of any prefix that ends with a token', () => {
    expect(numberedText(4)).toBe('t0 t1 t2 t3')
    expect(checkNumberedText(numberedText(1000))).toBe(1000)
    expect(checkNumberedText('')).toBe(0)
  })

  it.each([
    ['lost', 't0 t2'],
    ['repeated', 't0 t1 t1'],
    ['reordered', 't1 t0'],
    ['foreign', 't0 x1'],
  ])('notices a %s token', (_, text) => {
    expect(() => checkNumberedText(text)).toThrow('Numbered text breaks')
  })
})
