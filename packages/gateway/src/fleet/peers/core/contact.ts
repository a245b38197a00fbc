// How long ago the database answered, by this gateway's own clock.

import type { Timing } from './timing.ts'

export class Contact {
  readonly #timing: Timing
  answeredAt = -Infinity
  /** The last query failed. */
  hasFailed = false

  constructor(timing: Timing) {
    this.#timing = timing
  }

  isAbsent(now: number): boolean {
    return this.hasFailed || now - this.answeredAt > this.#timing.absentMs
  }

  /** Whoever was away for a while first looks who else is there. */
  wasAway(now: number): boolean {
    return now - this.answeredAt > this.#timing.mandateMs / 2
  }
}
