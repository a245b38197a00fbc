// How often guesses turn out right, by what they are based on. What was seen of the stream itself counts most, so a stream that repeats
// nothing soon makes no more guesses. A new stream begins with what was seen of all others.

/** A guess is forced by a grammar, or it followed so many tokens before. */
export type Basis = 'forced' | number

/** At first, half of the guesses that repeat something are expected to be right. */
const FIRST = [0.9, 0.5, 0.5, 0.5, 0.5]
/** Weight of the newest guess in the average of its stream, and in that of all streams. */
const NEWEST = { ofStream: 0.15, ofAll: 0.02 }
/** Otherwise, no new stream would ever try. */
const LEAST = 0.2

export class Odds {
  readonly #odds: number[]
  readonly #all: Odds | undefined

  constructor(all?: Odds) {
    this.#all = all
    this.#odds = all === undefined ? [...FIRST] : all.#odds.map((odds) => Math.max(odds, LEAST))
  }

  of(basis: Basis): number {
    return this.#odds[classOf(basis)]!
  }

  /** Guesses that weren't evaluated count as well. */
  learn(basis: Basis, isRight: boolean): void {
    const index = classOf(basis)
    const weight = this.#all === undefined ? NEWEST.ofAll : NEWEST.ofStream
    this.#odds[index]! += ((isRight ? 1 : 0) - this.#odds[index]!) * weight
    this.#all?.learn(basis, isRight)
  }
}

/** Longer matches share a class: up to 4, 8, 16 and all. */
function classOf(basis: Basis): number {
  if (basis === 'forced') return 0
  return basis <= 4 ? 1 : basis <= 8 ? 2 : basis <= 16 ? 3 : 4
}
