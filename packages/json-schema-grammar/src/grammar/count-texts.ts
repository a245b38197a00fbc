// How many texts a grammar allows, at most: the spaces between tokens don't count.

import { EMPTY, type Expression, type Rule } from './expression.ts'
import type { GrammarRules } from './grammar-rules.ts'

/**
 * Counts up to `limit`. A text that counts twice, because there are two ways to read it, makes the
 * result too large, never too small.
 */
export function countTexts(expression: Expression, rules: GrammarRules, limit: number): number {
  const known = new Map<Rule, number>()

  const ruleCount = (rule: Rule): number => {
    const found = known.get(rule)
    if (found !== undefined) return found
    // A rule that isn't defined yet, or that contains itself.
    known.set(rule, limit)
    const body = rules.body(rule)
    const counted = body === EMPTY ? limit : count(body)
    known.set(rule, counted)
    return counted
  }

  const count = (at: Expression): number => {
    switch (at.type) {
      case 'literal':
        return 1
      case 'characters':
        return at.ranges.reduce((sum, [from, to]) => Math.min(limit, sum + to - from + 1), 0)
      case 'sequence':
        return at.parts.reduce((product, part) => Math.min(limit, product * count(part)), 1)
      case 'choice':
        return sumUpTo(limit, at.options, count)
      case 'repeat':
        return isSpace(at.part) ? 1 : countRepeated(count(at.part), at.min, at.max, limit)
      case 'distinct':
      case 'item':
        return count(at.part)
      case 'rule':
        return ruleCount(at)
      default:
        return at satisfies never
    }
  }
  return count(expression)
}

/** Most choices are far beyond the limit. */
function sumUpTo(limit: number, options: readonly Expression[], count: (option: Expression) => number): number {
  let sum = 0
  for (const option of options) {
    sum += count(option)
    if (sum >= limit) return limit
  }
  return sum
}

function isSpace(expression: Expression): boolean {
  return expression.type === 'literal' && expression.text === ' '
}

function countRepeated(each: number, min: number, max: number, limit: number): number {
  let sum = 0
  for (let times = min; times <= max && sum < limit; times++) {
    sum = Math.min(limit, sum + each ** times)
    // Nothing but repetitions of one text, or of none.
    if (each === 0) break
  }
  return sum
}
