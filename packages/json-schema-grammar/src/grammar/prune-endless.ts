// Whether a text can ever be complete.

import { EMPTY, choice, sequence, type Expression, type Rule } from './expression.ts'
import type { GrammarRules } from './grammar-rules.ts'

/** By the number of a rule. */
type Finished = readonly boolean[]

function finishedRules(rules: GrammarRules): Finished {
  const finished = rules.all.map(() => false)
  let waiting = rules.all
  for (let before = Number.POSITIVE_INFINITY; waiting.length < before;) {
    before = waiting.length
    const left: Rule[] = []
    for (const rule of waiting)
      if (finishes(rules.body(rule), finished)) finished[rule.number] = true
      else left.push(rule)
    // Most rules only need rules that were added before them; the states of an automaton need those
    // that were added after them.
    waiting = left.toReversed()
  }
  return finished
}

/**
 * Takes out the ways on which a text could never be complete, so that a model can't get lost there.
 * False if that is all of them: a rule that always needs itself again never ends.
 */
export function pruneEndless(root: Expression, rules: GrammarRules): boolean {
  const finished = finishedRules(rules)
  if (!finishes(root, finished)) return false
  if (!finished.includes(false)) return true
  for (const rule of rules.all)
    if (finished[rule.number]) rules.replace(rule, withoutEndless(rules.body(rule), finished))
  return true
}

function withoutEndless(expression: Expression, finished: Finished): Expression {
  switch (expression.type) {
    case 'sequence':
      return sequence(...expression.parts.map((part) => withoutEndless(part, finished)))
    case 'choice':
      return choice(
        ...expression.options
          .filter((option) => finishes(option, finished))
          .map((option) => withoutEndless(option, finished)),
      )
    case 'repeat':
      return finishes(expression.part, finished)
        ? { ...expression, part: withoutEndless(expression.part, finished) }
        : EMPTY
    case 'distinct':
    case 'item':
      return { ...expression, part: withoutEndless(expression.part, finished) }
    case 'rule':
    case 'literal':
    case 'characters':
      return expression
    default:
      return expression satisfies never
  }
}

function finishes(expression: Expression, finished: Finished): boolean {
  switch (expression.type) {
    case 'rule':
      return finished[expression.number]!
    case 'literal':
    case 'characters':
      return true
    case 'sequence':
      for (const part of expression.parts) if (!finishes(part, finished)) return false
      return true
    case 'choice':
      for (const option of expression.options) if (finishes(option, finished)) return true
      return false
    case 'repeat':
      return expression.min === 0 || finishes(expression.part, finished)
    case 'distinct':
    case 'item':
      return finishes(expression.part, finished)
    default:
      return expression satisfies never
  }
}
