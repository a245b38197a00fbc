// The world's own account of offers that a device has not answered in the usual time, and of the second offers that follow.

import type { Ms } from '../../scheduler/core/types.ts'
import type { Attempt } from './attempt.ts'
import type { Client } from './client.ts'

export class LateOffers {
  readonly #hedgeMs: Ms
  /** Offers that may become late, the oldest first: all have the same time. */
  readonly #unanswered: Attempt[] = []
  /** Offers that are late, and some that were until a moment ago. */
  readonly #late = new Set<Attempt>()
  /** Second offers, and those of them that were accepted first. */
  readonly count = { offered: 0, won: 0 }

  constructor(hedgeMs: Ms) {
    this.#hedgeMs = hedgeMs
  }

  offered(attempt: Attempt): void {
    if (attempt.client.tries.length > 1) this.count.offered += 1
    if (attempt.device.isLate) this.#mark(attempt)
    else this.#unanswered.push(attempt)
  }

  /** Call this before the client knows. */
  accepted(attempt: Attempt): void {
    if (attempt.client.tries[1] === attempt) this.count.won += 1
    attempt.device.isLate = false
  }

  /** Those whose only device is late. */
  *clients(): Generator<Client> {
    for (const attempt of this.#late) {
      if (!attempt.client.holds(attempt) || attempt.isAccepted) this.#late.delete(attempt)
      else if (attempt.client.needsSecond) yield attempt.client
    }
  }

  note(now: Ms): void {
    const next = this.#unanswered.findIndex(({ offeredAt }) => offeredAt + this.#hedgeMs > now)
    const due = this.#unanswered.splice(0, next < 0 ? this.#unanswered.length : next)
    for (const attempt of due)
      if (attempt.client.holds(attempt) && !attempt.isAccepted && now < attempt.answerBy) this.#mark(attempt)
  }

  #mark(attempt: Attempt): void {
    attempt.isLate = true
    attempt.device.isLate = true
    attempt.client.failedOn.push(attempt.device.id)
    this.#late.add(attempt)
  }
}
