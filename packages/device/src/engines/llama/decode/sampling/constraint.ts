// A grammar that limits a reply, and how far the reply has come in it.

import type { Grammar, GrammarState, Token } from '../../native/native.ts'

export interface Constraint {
  grammar: Grammar
  state: GrammarState
}

/** Undefined if the tokens don't fit the grammar. */
export function startConstraint(grammar: Grammar, begun: readonly Token[]): Constraint | undefined {
  const state = grammar.start()
  try {
    for (const token of begun) grammar.accept(state, token)
    return { grammar, state }
  } catch {
    // The library throws at a token that doesn't fit, and at nothing else.
    return undefined
  }
}
