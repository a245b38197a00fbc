// Whether drafting pays: the tokens that a round of drafts saved, less the time that it took, counted in tokens that the model would have
// written in that time.

/** A round is expected to save half a token at first, so that drafts are tried. */
const FIRST = 0.5
/** Weight of the newest round in an average. */
const NEWEST = 0.15
const NEWEST_OF_ALL = 0.05
/** One round doesn't say more than this. */
const MOST = 4

export class Worth {
  #average: number

  constructor(first = FIRST) {
    this.#average = first
  }

  get isPaying(): boolean {
    return this.#average > 0
  }

  learn(gain: number, newest = NEWEST): void {
    this.#average += (clamp(gain) - this.#average) * newest
  }

  /** For a new stream. */
  copy(): Worth {
    return new Worth(this.#average)
  }
}

/** The worth of drafts for all streams, which is where each new stream begins. */
export class CommonWorth {
  readonly #worth = new Worth()

  begin(): Worth {
    return this.#worth.copy()
  }

  learn(gain: number): void {
    this.#worth.learn(gain, NEWEST_OF_ALL)
  }
}

function clamp(gain: number): number {
  return Math.max(-MOST, Math.min(MOST, gain))
}
