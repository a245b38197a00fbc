// Decides what follows when the process of a part has ended: another one after a pause, or the end of the attempt.

/** The first one is no pause: whoever waits for an answer gets it as soon as possible. */
const PAUSES_MS = [0, 500, 1_000, 2_000, 5_000]
const LONGEST_PAUSE_MS = 15_000
/** A process that ran this long did not end because of how it was started, so the pauses begin again. */
const SETTLED_MS = 30_000

export type NextStep = { name: 'restart'; pauseMs: number } | { name: 'give-up' }

export class RestartPlan {
  #everRan = false
  #ends = 0

  /** `ranMs` is undefined if the process ended while it was starting. */
  afterEnd(ranMs: number | undefined): NextStep {
    if (ranMs !== undefined) this.#everRan = true
    // A first start fails for a reason that trying again does not change, such as a wrong setting.
    if (!this.#everRan) return { name: 'give-up' }
    if ((ranMs ?? 0) > SETTLED_MS) this.#ends = 0
    return { name: 'restart', pauseMs: PAUSES_MS[this.#ends++] ?? LONGEST_PAUSE_MS }
  }
}
