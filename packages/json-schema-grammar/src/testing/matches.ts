// Decides whether a grammar allows a text, as a device does before it asks llama.cpp. Tests of the
// device compare both.

import { GrammarFollower } from '../follow/grammar-follower.ts'
import type { Expression } from '../grammar/expression.ts'
import type { GrammarRules } from '../grammar/grammar-rules.ts'
import { GrammarTooLarge } from '../grammar/grammar-too-large.ts'
import { ItemFollower } from '../items/item-follower.ts'

interface Followers {
  characters: GrammarFollower
  /** Only if items may not repeat. */
  items: ItemFollower | undefined
}

const known = new WeakMap<Expression, Followers>()

function followersOf(root: Expression, rules: GrammarRules): Followers {
  const { text, tree } = rules.write(root)
  return { characters: new GrammarFollower(text), items: tree && new ItemFollower(tree) }
}

/** Whether no items repeat that may not. */
export function follows(root: Expression, rules: GrammarRules, text: string): boolean {
  const followers = known.get(root) ?? followersOf(root, rules)
  known.set(root, followers)
  return followers.items?.allows(text) ?? true
}

export function matches(root: Expression, rules: GrammarRules, text: string): boolean {
  const hasNoneTwice = follows(root, rules, text)
  const { characters } = known.get(root)!
  let place = characters.start()
  for (const character of text) place = place && characters.step(place, character.codePointAt(0)!)
  if (place === undefined) throw new GrammarTooLarge('This grammar is more than can be followed')
  return place.mayEnd && hasNoneTwice
}
