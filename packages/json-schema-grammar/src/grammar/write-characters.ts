// How the characters of a text are written: in a JSON string or as they are.

import { characters, choice, invertRanges, sequence, type CharacterRange, type Expression } from './expression.ts'

/** Writes one character of the text, from `ranges`. */
export type WriteCharacters = (ranges: readonly CharacterRange[]) => Expression

/** Characters that have a short escape in JSON, with its second character. */
const ESCAPES: readonly [code: number, letter: string][] = [
  [0x22, '"'],
  [0x5c, '\\'],
  [8, 'b'],
  [9, 't'],
  [10, 'n'],
  [12, 'f'],
  [13, 'r'],
]

const NOT_PLAIN: readonly CharacterRange[] = [
  [0, 0x1f],
  [0x22, 0x22],
  [0x5c, 0x5c],
  [0x7f, 0x7f],
]

/** A character as it appears inside a JSON string. */
export function writeInString(ranges: readonly CharacterRange[]): Expression {
  const isIncluded = (code: number) => ranges.some(([from, to]) => code >= from && code <= to)
  const escaped = ESCAPES.filter(([code]) => isIncluded(code)).map(([, letter]) => letter)
  const plain = invertRanges([...invertRanges(ranges), ...NOT_PLAIN])
  const options = [
    ...(plain.length > 0 ? [characters(...plain)] : []),
    ...(escaped.length > 0 ? [sequence('\\', characters(escaped.join('')))] : []),
  ]
  return choice(...options)
}

export function writePlain(ranges: readonly CharacterRange[]): Expression {
  return characters(...ranges)
}
