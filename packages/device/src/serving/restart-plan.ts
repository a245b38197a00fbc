// How long a model waits before it is loaded again. One table for all failures: the more in a row, the longer the pause.

/** The first one only lets the system take the memory of the dead process back: streams wait for the next engine. */
const PAUSES_MS = [100, 1_000, 2_000, 5_000, 15_000, 60_000, 300_000]
/** A model that failed to load hardly loads a moment later: it skips the shortest pauses. */
const SKIPPED_AFTER_FAILED_LOAD = 3
/** After longer pauses than this, the model no longer counts as restarting but as failed. */
const LONGEST_RESTART_MS = 15_000
/** An engine that served this long did not die from being started, so the pauses begin again. */
const SETTLED_MS = 60_000

export interface Pause {
  ms: number
  /** A model that is about to be back, as opposed to one that has failed. */
  isRestart: boolean
}

export class RestartPlan {
  #failures = 0

  afterCrash(servedMs: number): Pause {
    if (servedMs > SETTLED_MS) this.#failures = 0
    const ms = this.#nextMs()
    return { ms, isRestart: ms <= LONGEST_RESTART_MS }
  }

  afterFailedLoad(): Pause {
    this.#failures = Math.max(this.#failures, SKIPPED_AFTER_FAILED_LOAD)
    return { ms: this.#nextMs(), isRestart: false }
  }

  #nextMs(): number {
    return PAUSES_MS[this.#failures++] ?? Math.max(...PAUSES_MS)
  }
}
