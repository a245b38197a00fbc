// Decides what follows when something that has to keep running has ended: another start after a pause, or none. Pure: it knows neither
// processes nor clocks.

export interface RestartPolicy {
  /** One for each end in a row. They grow, and the longest stays. */
  pausesMs: readonly number[]
  /** What ran longer than this did not end because of how it was started, so the pauses begin again. */
  settledMs: number
  /** How many of the shortest pauses a failed start skips: what could not start hardly can a moment later. */
  skippedAfterFailedStart: number
  /** Gives up if it never ran: then a start fails for a reason that trying again does not change, such as a wrong setting. */
  givesUpBeforeFirstRun: boolean
}

/** Its answers are the pause before the next start, in milliseconds. */
export class RestartPlan {
  readonly #policy: RestartPolicy
  #hasRun = false
  #ends = 0

  constructor(policy: RestartPolicy) {
    this.#policy = policy
  }

  /** It did its work for so long. */
  afterEnd(ranMs: number): number {
    this.#hasRun = true
    if (ranMs > this.#policy.settledMs) this.#ends = 0
    return this.#nextMs()
  }

  /** It ended before it did its work. */
  afterFailedStart(): number | 'give-up' {
    const { givesUpBeforeFirstRun, skippedAfterFailedStart } = this.#policy
    if (givesUpBeforeFirstRun && !this.#hasRun) return 'give-up'
    this.#ends = Math.max(this.#ends, skippedAfterFailedStart)
    return this.#nextMs()
  }

  #nextMs(): number {
    const { pausesMs } = this.#policy
    return pausesMs[this.#ends++] ?? Math.max(...pausesMs)
  }
}
