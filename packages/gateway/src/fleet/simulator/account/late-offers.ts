// The simulator's own account of offers that a device has not answered in the usual time, and of the second offers that follow.

import type { Ms } from '../../terms/job.ts'
import type { KnownAttempt, KnownJob } from './known-job.ts'

export class LateOffers {
  readonly #hedgeMs: Ms
  /** Offers that may become late, the oldest first: all have the same time. */
  readonly #unanswered: KnownAttempt[] = []
  /** Offers that are late, and some that were until a moment ago. */
  readonly #late = new Set<KnownAttempt>()
  /** Second offers, and those of them that were accepted first. */
  readonly count = { offered: 0, won: 0 }

  constructor(hedgeMs: Ms) {
    this.#hedgeMs = hedgeMs
  }

  offered(attempt: KnownAttempt): void {
    if (attempt.job.tries.length > 1) this.count.offered += 1
    if (attempt.device.isLate) this.#mark(attempt)
    else this.#unanswered.push(attempt)
  }

  /** Call this before the job knows. */
  accepted(attempt: KnownAttempt): void {
    if (attempt.job.tries[1] === attempt) this.count.won += 1
    attempt.device.isLate = false
  }

  get isEmpty(): boolean {
    return this.#late.size === 0
  }

  /** Calls it with those whose only device is late. */
  forWaiting(check: (job: KnownJob) => void): void {
    for (const attempt of this.#late) {
      if (!attempt.job.holds(attempt) || attempt.isAccepted) this.#late.delete(attempt)
      else if (attempt.job.needsSecond) check(attempt.job)
    }
  }

  /** The front looks at the time. */
  note(now: Ms): void {
    const unanswered = this.#unanswered
    let next = 0
    for (; next < unanswered.length && unanswered[next]!.offeredAt + this.#hedgeMs <= now; next++) {
      const attempt = unanswered[next]!
      if (attempt.job.holds(attempt) && !attempt.isAccepted && now < attempt.answerBy) this.#mark(attempt)
    }
    if (next > 0) unanswered.splice(0, next)
  }

  #mark(attempt: KnownAttempt): void {
    attempt.isLate = true
    attempt.device.isLate = true
    attempt.job.failedOn.push(attempt.device.id)
    this.#late.add(attempt)
  }
}
