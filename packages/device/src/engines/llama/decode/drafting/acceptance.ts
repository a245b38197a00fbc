// How often drafts are right, on average. Streams that write what drafts can't foresee are told apart from others by it.

/** Most drafts are expected to be right at first, so that they are tried. */
const FIRST = 0.8
/** Weight of the newest draft in an average. */
const NEWEST = 0.1
const NEWEST_OF_ALL = 0.02

export class Acceptance {
  readonly #all: Acceptance | undefined
  readonly #newest: number
  #average: number

  /** Of one stream: it begins where all of them are, and counts there too. */
  constructor(all?: Acceptance) {
    this.#all = all
    this.#newest = all === undefined ? NEWEST_OF_ALL : NEWEST
    this.#average = all?.average ?? FIRST
  }

  get average(): number {
    return this.#average
  }

  learn(isRight: boolean): void {
    this.#average += ((isRight ? 1 : 0) - this.#average) * this.#newest
    this.#all?.learn(isRight)
  }
}
