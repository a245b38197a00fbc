// How often drafts are right, on average. Streams that write what drafts can't foresee are told apart from others by it.

/** Most drafts are expected to be right at first, so that they are tried. */
const FIRST = 0.8
const MOST = 0.99
/** The least weight of the newest draft in an average. The first few weigh more: drafts that don't pay are soon given up. */
const NEWEST = { stream: 0.1, all: 0.02 }
/** What is expected at first weighs as much as so many drafts. */
const FIRST_WEIGHT = { stream: 2, all: 8 }

export class Acceptance {
  readonly #all: Acceptance | undefined
  #average: number
  #count = 0

  /** Of one stream: it begins where all of them are, and counts there too. */
  constructor(all?: Acceptance) {
    this.#all = all
    this.#average = all?.average ?? FIRST
  }

  /** Less than 1: nothing is certain. */
  get average(): number {
    return Math.min(this.#average, MOST)
  }

  learn(isRight: boolean): void {
    const kind = this.#all === undefined ? 'all' : 'stream'
    this.#count++
    const newest = Math.max(NEWEST[kind], 1 / (FIRST_WEIGHT[kind] + this.#count))
    this.#average += ((isRight ? 1 : 0) - this.#average) * newest
    this.#all?.learn(isRight)
  }
}
