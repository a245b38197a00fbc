// The guesses of one stream: what its grammar forces and what its past foresees, and how far that came true.

import type { Token } from '../../native/native.ts'
import { Odds, type Basis } from './odds.ts'
import { Past } from './past.ts'

/** A guess this far ahead is rarely worth it, even for a long copy. */
export const MOST_GUESSES = 24

interface Guess {
  readonly token: Token
  readonly basis: Basis
}

export class StreamGuesses {
  readonly #past = new Past()
  readonly #odds: Odds
  #guesses: readonly Guess[] = []
  /** Whether all tokens that were drawn since were foreseen. */
  #isRight = true

  constructor(all: Odds) {
    this.#odds = new Odds(all)
  }

  /** `last` was drawn and is about to be evaluated after `tokens`; `forced` may follow. Returns how likely each guess is. */
  foresee(tokens: readonly Token[], last: Token, forced: readonly Token[], most: number): number[] {
    const copied = this.#past.foresee(tokens, last, most)
    const bases = copied.followed.map((how, index) => ({ match: copied.match + index, followed: how }))
    this.#guesses = join(forced.slice(0, most), copied.tokens, bases)
    this.#isRight = true
    return this.#guesses.map(({ basis }) => this.#odds.of(basis))
  }

  take(count: number): readonly Token[] {
    return this.#guesses.slice(0, count).map(({ token }) => token)
  }

  /** `index` tokens were drawn since. Those may have been guessed by somebody else. */
  onDrawn(index: number, token: Token): void {
    const guess = this.#guesses[index]
    if (guess === undefined || !this.#isRight) return
    this.#isRight = guess.token === token
    this.#odds.learn(guess.basis, this.#isRight)
  }
}

/** The past goes on after what is forced, unless it says something else. */
function join(forced: readonly Token[], copied: readonly Token[], bases: readonly Basis[]): Guess[] {
  const isSame = forced.every((token, index) => token === copied[index])
  const guesses = isSame ? copied : forced
  return guesses.map((token, index) => ({ token, basis: index < forced.length ? 'forced' : bases[index]! }))
}
