// Limits how often a secret (a password, a code, a one-time link) may be tried. Attempts are counted in memory, under any name that
// identifies the source or the target: a client address, a person, an email address.

import { ApiError, retryAfter } from '@hearth/chat'
import { Bucket } from './bucket.ts'

/** Beyond this many names, those with the oldest attempts are forgotten, so a flood cannot exhaust memory. */
export const MAX_NAMES = 10_000

export interface AttemptLimit {
  perMinute: number
  /** How many of them may come at once: all, if it is left out. */
  burst?: number
}

export class AttemptLimiter {
  readonly #limit: Required<AttemptLimit>
  readonly #reason: string
  readonly #now: () => number
  readonly #buckets = new Map<string, Bucket>()

  /** `reason` is for whoever comes too often. */
  constructor({ perMinute, burst = perMinute }: AttemptLimit, reason: string, now = () => performance.now()) {
    this.#limit = { perMinute, burst }
    this.#reason = reason
    this.#now = now
  }

  /** Throws a 429 that says when to try again, unless this attempt may proceed. */
  count(name: string, amount?: number): void {
    const waitMs = this.take(name, amount)
    if (waitMs === 0) return
    const headers = retryAfter(waitMs)
    const message = `${this.#reason} Try again in ${headers['retry-after']} s.`
    throw new ApiError('rate_limit_exceeded', message, null, headers)
  }

  /** Milliseconds to wait before the next attempt; 0 if this one was counted and may proceed. */
  take(name: string, amount = 1): number {
    const now = this.#now()
    const bucket = this.#buckets.get(name) ?? new Bucket(this.#limit.perMinute, now, this.#limit.burst)
    // Move it to the end: the map is ordered by latest attempt.
    this.#buckets.delete(name)
    this.#buckets.set(name, bucket)
    this.#forgetOldest(now)
    const waitMs = bucket.msUntil(amount, now)
    if (waitMs === 0) bucket.take(amount, now)
    return waitMs
  }

  #forgetOldest(now: number): void {
    for (const [name, bucket] of this.#buckets) {
      if (this.#buckets.size <= MAX_NAMES && !bucket.isFull(now)) return
      if (this.#buckets.size === 1) return
      this.#buckets.delete(name)
    }
  }
}
