// Writes expressions as llama.cpp reads them (GBNF).

import type { CharacterRange, Expression } from './expression.ts'
import { GrammarTooLarge } from './grammar-too-large.ts'

/** The native parser expands every repetition, at about 7 ms per thousand, and running jobs wait for it. */
const MAX_REPETITIONS = 10_000

export class Printer {
  /** Makes a rule of a part. */
  readonly #toRule: (part: Expression) => Expression
  /** Many expressions have the same characters. */
  readonly #classes = new Map<readonly CharacterRange[], string>()
  #repetitions = 0

  constructor(toRule: (part: Expression) => Expression) {
    this.#toRule = toRule
  }

  /** Throws GrammarTooLarge. */
  print(expression: Expression, place: 'choice' | 'part'): string {
    switch (expression.type) {
      case 'rule':
        return expression.name
      case 'literal':
        return `"${escapeText(expression.text)}"`
      case 'sequence':
        return this.#printAll(expression.parts, 'part', ' ') || '""'
      case 'choice': {
        const text = this.#printAll(expression.options, 'choice', ' | ')
        return place === 'part' ? `(${text})` : text
      }
      case 'characters':
        return this.#printClass(expression.ranges)
      case 'repeat':
        return this.#printRepeat(expression)
      case 'distinct':
      case 'item':
        return this.print(expression.part, place)
      default:
        return expression satisfies never
    }
  }

  #printAll(expressions: readonly Expression[], place: 'choice' | 'part', separator: string): string {
    let text = ''
    for (let index = 0; index < expressions.length; index++) {
      if (index > 0) text += separator
      text += this.print(expressions[index]!, place)
    }
    return text
  }

  #printClass(ranges: readonly CharacterRange[]): string {
    let text = this.#classes.get(ranges)
    if (text === undefined) this.#classes.set(ranges, (text = `[${ranges.map(printRange).join('')}]`))
    return text
  }

  // Repeats only single characters and rules: the native parser duplicates anything else.
  #printRepeat({ part, min, max }: Extract<Expression, { type: 'repeat' }>): string {
    this.#repetitions += Number.isFinite(max) ? max : min
    if (this.#repetitions > MAX_REPETITIONS) throw new GrammarTooLarge('its repetitions are too large')
    const isPlain = part.type === 'rule' || part.type === 'characters'
    return this.print(isPlain ? part : this.#toRule(part), 'part') + printCount(min, max)
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
