import { describe, expect, it } from 'vitest'
import { findWords, longestForm } from './find-words.ts'

const WORD = 'canary4711'

describe('the search for words', () => {
  it.each([
    ['as it is', Buffer.from(`{"text":"a ${WORD}!"}`)],
    ['with two bytes per character', Buffer.from(`a ${WORD}`, 'utf16le')],
    ['as base64', Buffer.from(Buffer.from(WORD).toString('base64'))],
    ['as base64 inside a text', Buffer.from(Buffer.from(`a${WORD} and more`).toString('base64'))],
    ['as base64 inside another text', Buffer.from(Buffer.from(`ab${WORD}`).toString('base64url'))],
    ['as base64 at the end of a text', Buffer.from(Buffer.from(`abc${WORD}`).toString('base64'))],
  ])('finds one %s', (_, bytes) => {
    expect(findWords(bytes, [WORD, 'canary0815', 'another'])).toStrictEqual([WORD])
    expect(findWords(bytes, [WORD, 'canary0815'])).toStrictEqual([WORD])
  })

  it('finds nothing where nothing is', () => {
    expect(findWords(Buffer.from('canary 4711'), [WORD])).toStrictEqual([])
    expect(longestForm([WORD])).toBe(2 * WORD.length)
  })
})
