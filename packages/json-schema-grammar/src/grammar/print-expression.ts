// Writes expressions as llama.cpp reads them (GBNF).

import type { CharacterRange, Expression, Rule } from './expression.ts'
import { GrammarTooLarge } from './grammar-too-large.ts'
import { getOrMake } from '../get-or-make.ts'

/**
 * The native parser expands every repetition, at about 7 ms per thousand, and running jobs wait for
 * it.
 */
const MAX_REPETITIONS = 10_000

export class Printer {
  /** Makes a rule of a part. */
  readonly #toRule: (part: Expression) => Rule
  /** Many expressions have the same characters. */
  readonly #classes = new Map<readonly CharacterRange[], string>()
  /** Put together at the end: adding each to a text makes as many texts. */
  readonly #pieces: string[] = []
  #repetitions = 0

  constructor(toRule: (part: Expression) => Rule) {
    this.#toRule = toRule
  }

  /** Throws GrammarTooLarge. */
  printRule(name: string, body: Expression): void {
    this.#pieces.push(name, ' ::= ')
    this.#print(body, 'choice')
    this.#pieces.push('\n')
  }

  text(): string {
    return this.#pieces.join('')
  }

  #print(expression: Expression, place: 'choice' | 'part'): void {
    switch (expression.type) {
      case 'rule':
        this.#pieces.push(expression.name)
        break
      case 'literal':
        this.#pieces.push('"', escapeText(expression.text), '"')
        break
      case 'sequence':
        if (expression.parts.length === 0) this.#pieces.push('""')
        this.#printAll(expression.parts, 'part', ' ')
        break
      case 'choice':
        if (place === 'part') this.#pieces.push('(')
        this.#printAll(expression.options, 'choice', ' | ')
        if (place === 'part') this.#pieces.push(')')
        break
      case 'characters':
        this.#pieces.push(this.#printClass(expression.ranges))
        break
      case 'repeat':
        this.#printRepeat(expression)
        break
      case 'distinct':
      case 'item':
        this.#print(expression.part, place)
        break
      default:
        expression satisfies never
    }
  }

  #printAll(expressions: readonly Expression[], place: 'choice' | 'part', separator: string): void {
    for (let index = 0; index < expressions.length; index++) {
      if (index > 0) this.#pieces.push(separator)
      this.#print(expressions[index]!, place)
    }
  }

  #printClass(ranges: readonly CharacterRange[]): string {
    return getOrMake(this.#classes, ranges, () => `[${ranges.map(printRange).join('')}]`)
  }

  // Repeats only single characters and rules: the native parser duplicates anything else.
  #printRepeat({ part, min, max }: Extract<Expression, { type: 'repeat' }>): void {
    this.#repetitions += Number.isFinite(max) ? max : min
    if (this.#repetitions > MAX_REPETITIONS) throw new GrammarTooLarge('its repetitions are too large')
    const isPlain = part.type === 'rule' || part.type === 'characters'
    this.#print(isPlain ? part : this.#toRule(part), 'part')
    this.#pieces.push(printCount(min, max))
  }
}

function printCount(min: number, max: number): string {
  if (max === Number.POSITIVE_INFINITY) return ['*', '+'][min] ?? `{${min},}`
  return min === 0 && max === 1 ? '?' : `{${min},${max}}`
}

function printRange([from, to]: CharacterRange): string {
  return from === to ? escapeInClass(from) : `${escapeInClass(from)}-${escapeInClass(to)}`
}

function escapeInClass(code: number): string {
  const character = String.fromCodePoint(code)
  return /^[a-zA-Z0-9]$/.test(character) ? character : escapeCode(code)
}

function escapeText(text: string): string {
  let [escaped, begin] = ['', 0]
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code >= 0x20 && code !== 0x22 && code !== 0x5c) continue
    escaped += text.slice(begin, index) + escapeCode(code)
    begin = index + 1
  }
  return begin === 0 ? text : escaped + text.slice(begin)
}

function escapeCode(code: number): string {
  const hex = code.toString(16).toUpperCase()
  if (hex.length <= 2) return `\\x${hex.padStart(2, '0')}`
  return hex.length <= 4 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`
}
