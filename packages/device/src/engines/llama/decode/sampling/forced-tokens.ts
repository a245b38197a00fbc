// What a grammar leaves no choice about: keys, quotes, constants. There may still be a choice between the ways to cut the text into tokens,
// and between a space and none, so these tokens are likely, but not certain.

import type { Token, Vocabulary } from '../../native/native.ts'
import type { Constraint } from './constraint.ts'

/** Where more tokens fit, they don't all begin the same text. */
const FEW = 16
const MOST_FORCED = 8
/** How vocabularies write a space. */
const LEADING_SPACE = /^[ Ġ▁]/
/** Inside words, there is always a choice: keys that were begun are in the guesses already. */
const MAY_END_CHOICE = /[^\p{L}\p{N}Ġ▁ ]/u

/** The tokens after the last one. */
export function forcedTokens(vocabulary: Vocabulary, constraint: Constraint, last: Token | undefined): Token[] {
  if (last !== undefined && !MAY_END_CHOICE.test(vocabulary.text(last))) return []
  return findForced(vocabulary, { ...constraint, state: constraint.grammar.copy(constraint.state) })
}

/** Advances the state. */
function findForced(vocabulary: Vocabulary, { grammar, state }: Constraint): Token[] {
  const forced: Token[] = []
  while (forced.length < MOST_FORCED) {
    const fitting = grammar.few(state)
    const token = fitting && fitting.length <= FEW ? onlyText(vocabulary, fitting) : undefined
    if (token === undefined) break
    grammar.accept(state, token)
    forced.push(token)
  }
  return forced
}

/** The longest token, if all others begin the same text. */
function onlyText(vocabulary: Vocabulary, tokens: readonly Token[]): Token | undefined {
  if (tokens.some((token) => vocabulary.isEnd(token))) return undefined
  const texts = tokens.map((token) => ({ token, text: vocabulary.text(token) }))
  const [longest] = texts.toSorted((a, b) => b.text.length - a.text.length)
  const whole = longest?.text.replace(LEADING_SPACE, '') ?? ''
  return texts.every(({ text }) => whole.startsWith(text.replace(LEADING_SPACE, ''))) ? longest?.token : undefined
}
