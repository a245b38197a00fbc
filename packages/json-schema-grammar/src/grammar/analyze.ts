// Answers questions about a grammar: whether a text can ever be complete, how long a text can get, how much work matching it is.

import type { Expression } from './expression.ts'
import type { GrammarRules } from './grammar-rules.ts'

export interface TextLength {
  min: number
  max: number
}

/** Characters in the shortest and the longest text; a rule that contains itself counts as unlimited. */
export function lengthOf(expression: Expression, rules: GrammarRules, open: readonly string[] = []): TextLength {
  switch (expression.type) {
    case 'literal':
      return { min: expression.length, max: expression.length }
    case 'characters':
      return { min: 1, max: 1 }
    case 'sequence': {
      const lengths = expression.parts.map((part) => lengthOf(part, rules, open))
      return { min: sum(lengths.map(({ min }) => min)), max: sum(lengths.map(({ max }) => max)) }
    }
    case 'choice': {
      const lengths = expression.options.map((option) => lengthOf(option, rules, open))
      return { min: Math.min(...lengths.map(({ min }) => min)), max: Math.max(...lengths.map(({ max }) => max)) }
    }
    case 'repeat': {
      const { min, max } = lengthOf(expression.part, rules, open)
      return { min: min * expression.min, max: max === 0 ? 0 : max * expression.max }
    }
    case 'rule':
      if (open.includes(expression.name)) return { min: 0, max: Number.POSITIVE_INFINITY }
      return lengthOf(rules.body(expression.name), rules, [...open, expression.name])
    default:
      return expression satisfies never
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

/**
 * The number of places in the grammar that a reader can be in at once, at worst: nested counted repetitions multiply. Only for expressions
 * that don't contain themselves.
 */
export function placesIn(expression: Expression, rules: GrammarRules): number {
  switch (expression.type) {
    case 'sequence':
      return sum(expression.parts.map((part) => placesIn(part, rules)))
    case 'choice':
      return sum(expression.options.map((option) => placesIn(option, rules)))
    case 'repeat': {
      const count = Number.isFinite(expression.max) ? expression.max : expression.min + 1
      return count * placesIn(expression.part, rules)
    }
    case 'rule':
      return placesIn(rules.body(expression.name), rules)
    case 'literal':
    case 'characters':
      return 1
    default:
      return expression satisfies never
  }
}

/** Whether any text can be complete. A rule that always needs itself again never ends. */
export function canFinish(root: Expression, rules: GrammarRules): boolean {
  const finished = new Set<string>()
  for (let before = -1; before < finished.size;) {
    before = finished.size
    for (const name of rules.names()) if (finishes(rules.body(name), finished)) finished.add(name)
  }
  return finishes(root, finished)
}

function finishes(expression: Expression, finished: ReadonlySet<string>): boolean {
  switch (expression.type) {
    case 'sequence':
      return expression.parts.every((part) => finishes(part, finished))
    case 'choice':
      return expression.options.some((option) => finishes(option, finished))
    case 'repeat':
      return expression.min === 0 || finishes(expression.part, finished)
    case 'rule':
      return finished.has(expression.name)
    case 'literal':
    case 'characters':
      return true
    default:
      return expression satisfies never
  }
}
