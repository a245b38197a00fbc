// Members of which some can be left out, with a text between those that are there.

import { choice, EMPTY, type Expression, type GrammarRules, sequence } from '@hearth/json-schema-grammar'

export interface Member {
  written: Expression
  isRequired: boolean
}

/** The members in order, with `glue` between those that are present. */
export function glued(members: readonly Member[], glue: Expression | string, rules: GrammarRules): Expression {
  let [begun, empty] = [EMPTY, EMPTY]
  for (const { written, isRequired } of members.toReversed()) {
    const [nextBegun, nextEmpty] = [begun, empty]
    const more = sequence(glue, written, nextBegun)
    const first = sequence(written, nextBegun)
    begun = rules.add('more', isRequired ? more : choice(more, nextBegun))
    empty = rules.add('first', isRequired ? first : choice(first, nextEmpty))
  }
  return empty
}
