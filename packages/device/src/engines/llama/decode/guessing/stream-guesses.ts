// The guesses of one stream: what its grammar forces, and what its past and earlier replies foresee, and how far that came true.

import type { Token } from '../../native/native.ts'
import { Odds, type Basis } from './odds.ts'
import { hopesOf } from './offers.ts'
import { BEGINNING, Past, type Foreseen } from './past.ts'

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

  /** What the past is made of: earlier replies, and the tokens of the stream. */
  readonly #tokens: Token[]
  readonly #earlier: number

  constructor(all: Odds, earlier: readonly Token[] = []) {
    this.#odds = new Odds(all)
    this.#tokens = [...earlier]
    this.#earlier = earlier.length
  }

  /** `last` was drawn and is about to be evaluated after `tokens`; `forced` may follow. Returns how likely each guess is. */
  foresee(tokens: readonly Token[], last: Token, forced: readonly Token[], most: number): number[] {
    for (let at = this.#tokens.length - this.#earlier; at < tokens.length; at++) this.#tokens.push(tokens[at]!)
    const copied = this.#past.foresee(this.#tokens, last, most, (one) => hopesOf(this.#oddsOf(basesOf(one))).at(-1)!)
    this.#guesses = join(forced.slice(0, most), copied.tokens, basesOf(copied))
    this.#isRight = true
    return this.#oddsOf(this.#guesses.map(({ basis }) => basis))
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

  #oddsOf(bases: readonly Basis[]): number[] {
    return bases.map((basis) => this.#odds.of(basis))
  }
}

function basesOf({ match, followed, how }: Foreseen): Basis[] {
  return followed.map((kind, index) => ({
    how: index < BEGINNING[how] ? how : 'going',
    match: match + index,
    followed: kind,
  }))
}

/** The past goes on after what is forced, unless it says something else. */
function join(forced: readonly Token[], copied: readonly Token[], bases: readonly Basis[]): Guess[] {
  const isSame = forced.every((token, index) => token === copied[index])
  const guesses = isSame ? copied : forced
  return guesses.map((token, index) => ({ token, basis: index < forced.length ? 'forced' : bases[index]! }))
}
