// Writes a random text that a grammar allows, like a model without any preferences.

import type { Expression } from '../grammar/expression.ts'
import type { GrammarRules } from '../grammar/grammar-rules.ts'
import type { Chance } from './random-schema.ts'

const INTERESTING = Array.from('aZ05 .-"\\/{}[]:,\n\té🙂\u2028\u00a0', (character) => character.codePointAt(0)!)

export function randomText(root: Expression, rules: GrammarRules, chance: Chance): string {
  const write = (expression: Expression, depth: number): string => {
    switch (expression.type) {
      case 'literal':
        return expression.text
      case 'characters': {
        const known = INTERESTING.filter((code) => expression.ranges.some(([from, to]) => code >= from && code <= to))
        const [from, to] = expression.ranges[chance.below(expression.ranges.length)]!
        const any = from + chance.below(Math.min(to - from + 1, 90))
        return String.fromCodePoint(
          known.length > 0 && chance.below(2) === 0 ? known[chance.below(known.length)]! : any,
        )
      }
      case 'sequence':
        return expression.parts.map((part) => write(part, depth)).join('')
      case 'choice': {
        // Deep down, take the shortest way out.
        const options = expression.options
        const at = depth > 60 ? shallowest(options, rules) : options[chance.below(options.length)]!
        return write(at, depth + 1)
      }
      case 'repeat': {
        const spread = depth > 60 ? 0 : Math.min(expression.max - expression.min, 4)
        const count = expression.min + chance.below(spread + 1)
        return Array.from({ length: count }, () => write(expression.part, depth + 1)).join('')
      }
      case 'distinct':
      case 'item':
        return write(expression.part, depth)
      case 'rule':
        return write(rules.body(expression), depth + 1)
      default:
        return expression satisfies never
    }
  }
  return write(root, 0)
}

function shallowest(options: readonly Expression[], rules: GrammarRules): Expression {
  return options.toSorted((a, b) => weight(a, rules, 6) - weight(b, rules, 6))[0]!
}

function weight(expression: Expression, rules: GrammarRules, budget: number): number {
  if (budget === 0) return 1000
  switch (expression.type) {
    case 'sequence':
      return expression.parts.reduce((sum, part) => sum + weight(part, rules, budget), 0)
    case 'choice':
      return Math.min(...expression.options.map((option) => weight(option, rules, budget - 1)))
    case 'repeat':
      return expression.min * weight(expression.part, rules, budget - 1)
    case 'distinct':
    case 'item':
      return weight(expression.part, rules, budget)
    case 'rule':
      return 1 + weight(rules.body(expression), rules, budget - 1)
    case 'literal':
    case 'characters':
      return 1
    default:
      return expression satisfies never
  }
}
