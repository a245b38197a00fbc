// The guesses of one stream: what its past foresees, and how far that came true.

import type { Token } from '../../native/native.ts'
import type { Hopes } from './choose-counts.ts'
import { Odds } from './odds.ts'
import { MOST_MATCH, Past, type Foreseen } from './past.ts'

/** A guess this far ahead is rarely worth it, even for a long copy. */
const MOST_GUESSES = 24

export class StreamGuesses {
  readonly #past = new Past()
  readonly #odds = new Odds()
  #foreseen: Foreseen = { tokens: [], match: 0 }
  /** Whether all tokens that were drawn since were foreseen. */
  #isRight = true

  /** `last` was drawn and is about to be evaluated after `tokens`. */
  foresee(tokens: readonly Token[], last: Token, room: number): Hopes {
    this.#foreseen = this.#past.foresee(tokens, last, Math.min(MOST_GUESSES, room))
    this.#isRight = true
    const { tokens: guesses, match } = this.#foreseen
    return { available: guesses.length, match, oddsOf: (after) => this.#odds.of(after) }
  }

  take(count: number): readonly Token[] {
    return this.#foreseen.tokens.slice(0, count)
  }

  /** `index` tokens were drawn since. Those may have been guessed by somebody else. */
  onDrawn(index: number, token: Token): void {
    const { tokens, match } = this.#foreseen
    if (!this.#isRight || index >= tokens.length) return
    this.#isRight = tokens[index] === token
    this.#odds.learn(Math.min(match + index, MOST_MATCH), this.#isRight)
  }
}
