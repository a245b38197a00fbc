// Gives each expression a number that is equal for equal expressions, so that a grammar has each
// rule only once.

import { NumberLists } from './number-lists.ts'
import type { CharacterRange, Expression } from './expression.ts'
import { getOrMake } from '../get-or-make.ts'

/** Expressions are lists of numbers that begin with their type. */
const LITERAL = -1
const CHARACTERS = -2
const SEQUENCE = -3
const CHOICE = -4
const REPEAT = -5
const DISTINCT = -6
const ITEM = -7
/** Rules are numbers from here on downwards, because most of what is in an expression are rules. */
const FIRST_RULE = -8

export class ExpressionNumbers {
  readonly #lists = new NumberLists()
  readonly #texts = new Map<string, number>()
  readonly #ranges = new Map<readonly CharacterRange[], number>()

  numberOf(expression: Expression): number {
    switch (expression.type) {
      case 'rule':
        return FIRST_RULE - expression.number
      case 'literal': {
        const text = this.#lists.extended(LITERAL, this.#numberOfText(expression.text))
        return expression.length === expression.text.length ? text : this.#lists.extended(text, expression.length)
      }
      case 'sequence':
        return this.#numberOfAll(SEQUENCE, expression.parts)
      case 'choice':
        return this.#numberOfAll(CHOICE, expression.options)
      case 'characters':
        return this.#lists.extended(CHARACTERS, this.#numberOfRanges(expression.ranges))
      case 'repeat': {
        const part = this.#lists.extended(REPEAT, this.numberOf(expression.part))
        return this.#lists.extended(this.#lists.extended(part, expression.min), expression.max)
      }
      case 'distinct':
        return this.#lists.extended(DISTINCT, this.numberOf(expression.part))
      case 'item':
        return this.#lists.extended(ITEM, this.numberOf(expression.part))
      default:
        return expression satisfies never
    }
  }

  #numberOfAll(type: number, expressions: readonly Expression[]): number {
    let list = this.#lists.extended(type, expressions.length)
    for (const expression of expressions) list = this.#lists.extended(list, this.numberOf(expression))
    return list
  }

  #numberOfText(text: string): number {
    return getOrMake(this.#texts, text, () => this.#texts.size)
  }

  #numberOfRanges(ranges: readonly CharacterRange[]): number {
    return getOrMake(this.#ranges, ranges, () => this.#numberOfText(`[${ranges.join(' ')}]`))
  }
}
