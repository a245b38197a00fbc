// When the messages that wait leave. What arrives before that leaves with them.

import type { Clock } from '../../../time/clock.ts'

/**
 * How soon a message has to leave. `now`: at the end of this turn. `paced`: too, unless another packet has just left; then a millisecond
 * later. `lazy`: within a few milliseconds, with others if there are any.
 */
export type Haste = 'now' | 'paced' | 'lazy'

/** Paced packets leave this long after one another. */
const PACE_MS = 1
const LAZY_MS = 5

const RANK: Record<Haste, number> = { lazy: 1, paced: 2, now: 3 }

export class Departure {
  readonly #clock: Clock
  readonly #leave: () => void
  /** Of what is planned; 0 if nothing is. */
  #rank = 0
  #leftAt = Number.NEGATIVE_INFINITY
  #unplan = () => {}

  constructor(clock: Clock, leave: () => void) {
    this.#clock = clock
    this.#leave = leave
  }

  plan(haste: Haste): void {
    const rank = RANK[haste]
    if (rank <= this.#rank) return
    this.#unplan()
    this.#rank = rank
    this.#unplan = this.#clock.after(this.#delayMs(haste), () => {
      this.#rank = 0
      this.#leftAt = this.#clock.now()
      this.#leave()
    })
  }

  cancel(): void {
    this.#unplan()
    this.#rank = 0
  }

  #delayMs(haste: Haste): number {
    if (haste === 'now') return 0
    if (haste === 'lazy') return LAZY_MS
    return this.#clock.now() - this.#leftAt < PACE_MS ? PACE_MS : 0
  }
}
