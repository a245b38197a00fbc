// The rules for JSON text that every generated value consists of. Whitespace is at most one space,
// because weak models would otherwise spend their tokens on it.

import {
  characters,
  choice,
  invertRanges,
  literal,
  optional,
  repeat,
  sequence,
  type CharacterRange,
  type Expression,
} from '../grammar/expression.ts'
import type { GrammarRules } from '../grammar/grammar-rules.ts'
import { DIGIT, MAX_DECIMALS, MAX_WHOLE } from './digits.ts'

/**
 * Characters that need no escape in a JSON string: all but quotes, backslashes and control
 * characters.
 */
export const PLAIN: readonly CharacterRange[] = invertRanges([
  [0, 0x1f],
  [0x22, 0x22],
  [0x5c, 0x5c],
  [0x7f, 0x7f],
])

const HEX = characters([0x30, 0x39], [0x41, 0x46], [0x61, 0x66])

export function blank(rules: GrammarRules): Expression {
  return rules.share('blank', () => optional(literal(' ')))
}

/**
 * One character of the string's value. Surrogates are left out: one alone is not a character, and a
 * pair is one character.
 */
export function stringCharacter(rules: GrammarRules): Expression {
  return rules.share('char', () => {
    const four = choice(
      sequence(characters('012345', [0x36, 0x39], 'abcefABCEF'), HEX, HEX, HEX),
      sequence(characters('dD'), characters([0x30, 0x37]), HEX, HEX),
    )
    return choice(characters(...PLAIN), sequence('\\', characters('"\\/bfnrt')), sequence('\\u', four))
  })
}

export function anyString(rules: GrammarRules): Expression {
  return rules.share('string', () => sequence('"', repeat(stringCharacter(rules), 0), '"'))
}

export function anyInteger(rules: GrammarRules): Expression {
  return rules.share('integer', () => sequence(optional(literal('-')), wholeNumber()))
}

export function anyNumber(rules: GrammarRules): Expression {
  return rules.share('number', () => {
    const fraction = sequence('.', repeat(DIGIT, 1, MAX_DECIMALS))
    const exponent = sequence(characters('eE'), optional(characters('+-')), repeat(DIGIT, 1, 2))
    return sequence(anyInteger(rules), optional(fraction), optional(exponent))
  })
}

function wholeNumber(): Expression {
  return choice(literal('0'), sequence(characters([0x31, 0x39]), repeat(DIGIT, 0, MAX_WHOLE - 1)))
}

export function anyValue(rules: GrammarRules): Expression {
  return rules.share('value', () =>
    choice(
      anyObject(rules),
      anyArray(rules),
      anyString(rules),
      anyNumber(rules),
      literal('true'),
      literal('false'),
      literal('null'),
    ),
  )
}

export function anyObject(rules: GrammarRules): Expression {
  return rules.share('object', () => {
    const member = rules.add('member', memberOf(anyString(rules), anyValue(rules), rules))
    return enclosed('{', separated(member, 0, Number.POSITIVE_INFINITY, rules), '}', rules)
  })
}

function anyArray(rules: GrammarRules): Expression {
  return rules.share('array', () =>
    enclosed('[', separated(anyValue(rules), 0, Number.POSITIVE_INFINITY, rules), ']', rules),
  )
}

export function memberOf(key: Expression, value: Expression, rules: GrammarRules): Expression {
  return sequence(key, blank(rules), ':', blank(rules), value)
}

export function comma(rules: GrammarRules): Expression {
  return rules.share('comma', () => sequence(blank(rules), ',', blank(rules)))
}

export function enclosed(open: string, inside: Expression, close: string, rules: GrammarRules): Expression {
  return sequence(open, blank(rules), inside, blank(rules), close)
}

/** What is put around each item of an array, with its comma. */
export type MarkItem = (item: Expression) => Expression

/** `item`, `min` to `max` times, with commas in between. */
export function separated(
  item: Expression,
  min: number,
  max: number,
  rules: GrammarRules,
  mark: MarkItem = (part) => part,
): Expression {
  if (max === 0) return literal('')
  const further = rules.add('further', mark(sequence(comma(rules), item)))
  const list = sequence(mark(item), repeat(further, Math.max(0, min - 1), max - 1))
  return min === 0 ? optional(list) : list
}

/** Exactly the text that JSON.stringify returns for a value. */
export function exactly(value: unknown): Expression {
  return literal(JSON.stringify(value))
}
