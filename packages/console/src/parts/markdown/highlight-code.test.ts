import { expect, it } from 'vitest'
import {
  highlightCode,
  MOST_CODE_CHARACTERS,
  MOST_CODE_LEVELS,
  MOST_CODE_PIECES,
  type CodePiece,
} from './highlight-code.ts'

const textOf = (pieces: readonly CodePiece[]): string =>
  pieces.map((piece) => (typeof piece === 'string' ? piece : textOf(piece.pieces))).join('')

function levelsOf(pieces: readonly CodePiece[]): number {
  return Math.max(0, ...pieces.map((piece) => (typeof piece === 'string' ? 0 : 1 + levelsOf(piece.pieces))))
}

it('highlights code', () => {
  expect(highlightCode({ language: 'python', text: 'x = "a"' })).toEqual([
    'x = ',
    { className: 'hljs-string', pieces: ['"a"'] },
  ])
})

it('keeps the text of deeply nested code, and only so many levels', () => {
  const text = '`${'.repeat(1_000)
  const pieces = highlightCode({ language: 'js', text })!
  expect(textOf(pieces)).toBe(text)
  expect(levelsOf(pieces)).toBe(MOST_CODE_LEVELS)
})

it.each([
  ['an unknown language', { language: 'nothing', text: 'a' }],
  ['long code', { language: 'js', text: ' '.repeat(MOST_CODE_CHARACTERS + 1) }],
  ['code of too many parts', { language: 'js', text: '1 '.repeat(MOST_CODE_PIECES) }],
])('leaves %s plain', (_, code) => {
  expect(highlightCode(code)).toBeUndefined()
})
