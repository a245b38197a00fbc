// Decides whether a grammar allows a text, without llama.cpp: simple and slow, for tests.

import { ItemFollower } from '../items/follower.ts'
import type { Expression, Rule } from '../grammar/expression.ts'
import type { GrammarRules } from '../grammar/grammar-rules.ts'

/** Whether no items repeat that may not. */
export function follows(root: Expression, rules: GrammarRules, text: string): boolean {
  const known = followers.get(root) ?? rules.write(root).tree
  if (known === undefined) return true
  const follower = known instanceof ItemFollower ? known : new ItemFollower(known)
  followers.set(root, follower)
  return follower.allows(text)
}

const followers = new WeakMap<Expression, ItemFollower>()

export function matches(root: Expression, rules: GrammarRules, text: string): boolean {
  const characters = Array.from(text, (character) => character.codePointAt(0)!)
  const known = new Map<string, ReadonlySet<number>>()

  /** Every place where a match that begins at `from` can end. */
  const ends = (expression: Expression, from: number): ReadonlySet<number> => {
    switch (expression.type) {
      case 'literal':
        return literalEnd(expression.text, from)
      case 'characters': {
        const code = characters[from]
        const isMatch = code !== undefined && expression.ranges.some(([low, high]) => code >= low && code <= high)
        return new Set(isMatch ? [from + 1] : [])
      }
      case 'sequence':
        return expression.parts.reduce<ReadonlySet<number>>((at, part) => endsOfAll(part, at), new Set([from]))
      case 'choice':
        return new Set(expression.options.flatMap((option) => [...ends(option, from)]))
      case 'repeat':
        return repeatEnds(expression, from)
      case 'distinct':
      case 'item':
        return ends(expression.part, from)
      case 'rule':
        return ruleEnds(expression, from)
      default:
        return expression satisfies never
    }
  }

  const endsOfAll = (expression: Expression, starts: ReadonlySet<number>): ReadonlySet<number> =>
    new Set([...starts].flatMap((start) => [...ends(expression, start)]))

  const literalEnd = (literal: string, from: number): ReadonlySet<number> => {
    const codes = Array.from(literal, (character) => character.codePointAt(0)!)
    return new Set(codes.every((code, index) => characters[from + index] === code) ? [from + codes.length] : [])
  }

  const repeatEnds = ({ part, min, max }: Extract<Expression, { type: 'repeat' }>, from: number): Set<number> => {
    const found = new Set<number>(min === 0 ? [from] : [])
    let at: ReadonlySet<number> = new Set([from])
    for (let count = 1; count <= max && at.size > 0; count++) {
      const next = endsOfAll(part, at)
      at = new Set([...next].filter((end) => count < min || !found.has(end)))
      if (count >= min) for (const end of at) found.add(end)
    }
    return found
  }

  const ruleEnds = (rule: Rule, from: number): ReadonlySet<number> => {
    const key = `${rule.name} ${from}`
    const found = known.get(key) ?? ends(rules.body(rule), from)
    known.set(key, found)
    return found
  }

  return ends(root, 0).has(characters.length) && follows(root, rules, text)
}
