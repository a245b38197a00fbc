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

  /** `last` was drawn and is about to be evaluated after `tokens`. */
  foresee(tokens: readonly Token[], last: Token, room: number): Hopes {
    this.#foreseen = this.#past.foresee(tokens, last, Math.min(MOST_GUESSES, room))
    const { tokens: guesses, match } = this.#foreseen
    return { available: guesses.length, match, oddsOf: (after) => this.#odds.of(after) }
  }

  take(count: number): readonly Token[] {
    return this.#foreseen.tokens.slice(0, count)
  }

  /** `index` tokens were drawn since, and all of them were foreseen. */
  onDrawn(index: number, token: Token): void {
    const { tokens, match } = this.#foreseen
    if (index < tokens.length) this.#odds.learn(Math.min(match + index, MOST_MATCH), tokens[index] === token)
  }
}
