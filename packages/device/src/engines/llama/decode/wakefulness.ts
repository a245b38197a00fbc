// Keeps the event loop awake while the only stream of a GPU takes its step. A step is a few native calls in other threads, and waking up after
// each of them takes a noticeable part of a step that lasts one or two milliseconds.

/** Longer steps gain too little to keep a core busy for them. */
const SHORT_MS = 6

export class Wakefulness {
  readonly #now: () => number
  #lastMs = Number.POSITIVE_INFINITY

  constructor(now: () => number) {
    this.#now = now
  }

  /** Waits for a step, and without sleeping if the one before was short. */
  async during(step: Promise<void>): Promise<void> {
    const begun = this.#now()
    let isAwake = this.#lastMs < SHORT_MS
    const turn = (): void => {
      if (isAwake) setImmediate(turn)
    }
    turn()
    try {
      await step
    } finally {
      isAwake = false
      this.#lastMs = this.#now() - begun
    }
  }
}
