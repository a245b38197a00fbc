// How often the guesses of one stream turn out right, by how many tokens before them were the same. What it has seen of the stream counts,
// so a stream that repeats nothing soon makes no more guesses.

/** At first, half of the guesses are expected to be right. */
const FIRST = 0.5
/** Weight of the newest guess in the average. */
const NEWEST = 0.15
/** Longer matches share a class: up to 4, 8, 16 and all. */
const CLASSES = 4

export class Odds {
  readonly #odds: number[] = Array.from({ length: CLASSES }, () => FIRST)

  /** That the next token is the one that followed `match` tokens before. */
  of(match: number): number {
    return this.#odds[classOf(match)]!
  }

  /** Guesses that weren't evaluated count as well. */
  learn(match: number, isRight: boolean): void {
    const index = classOf(match)
    this.#odds[index]! += ((isRight ? 1 : 0) - this.#odds[index]!) * NEWEST
  }
}

function classOf(match: number): number {
  return match <= 4 ? 0 : match <= 8 ? 1 : match <= 16 ? 2 : 3
}
