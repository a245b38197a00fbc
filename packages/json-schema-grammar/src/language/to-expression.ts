// Writes an automaton as grammar rules, one per state. At each character only one rule goes on, so a grammar made this way costs llama.cpp
// little per token, however the pattern was written.

import {
  EMPTY,
  characters,
  choice,
  invertRanges,
  sequence,
  type CharacterRange,
  type Expression,
} from '../grammar/expression.ts'
import type { GrammarRules } from '../grammar/grammar-rules.ts'
import { rangesOf } from './alphabet.ts'
import type { Automaton } from './automaton.ts'
import { lettersByTarget } from './compile.ts'

/** Writes one character of the text, from `ranges`. */
export type WriteCharacters = (ranges: readonly CharacterRange[]) => Expression

export function toExpression(automaton: Automaton, write: WriteCharacters, rules: GrammarRules): Expression {
  const { alphabet, next, accepts } = automaton
  const written = new Map<string, Expression>()
  const writeLetters = (letters: readonly number[]): Expression => {
    const key = letters.join(' ')
    const text = written.get(key) ?? write(rangesOf(alphabet, new Set(letters)))
    written.set(key, text)
    return text
  }
  const edges = Array.from(accepts, (_, state) =>
    [...lettersByTarget(next, state, alphabet.size)].map(([target, letters]) => ({
      target,
      text: writeLetters(letters),
    })),
  )
  const entries = new Int32Array(accepts.length)
  for (const { target } of edges.flat()) entries[target]!++
  // A state with one way in and one way out needs no rule of its own.
  const isInline = (state: number) =>
    state !== 0 && entries[state] === 1 && accepts[state] === 0 && edges[state]!.length === 1
  const isEnd = (state: number) => accepts[state] === 1 && edges[state]!.length === 0
  const reserved = edges.map((_, state) =>
    isInline(state) || (isEnd(state) && state !== 0) ? undefined : rules.reserve('state'),
  )
  const from = (state: number): Expression => {
    const parts: Expression[] = []
    let at = state
    for (; reserved[at] === undefined && !isEnd(at); at = edges[at]![0]!.target) parts.push(edges[at]![0]!.text)
    return sequence(...parts, isEnd(at) ? EMPTY : reserved[at]!.reference)
  }
  reserved.forEach((rule, state) => {
    const options = edges[state]!.map(({ target, text }) => sequence(text, from(target)))
    rule?.define(choice(...options, ...(accepts[state] === 1 ? [EMPTY] : [])))
  })
  return reserved[0]!.reference
}

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
