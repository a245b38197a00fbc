// Limits how often a secret (a password, a code, a one-time link) may be tried. Attempts are counted in memory, under any name that
// identifies the source or the target: a client address, a person, an email address. Pure: time is a parameter.

import { ApiError, retryAfter } from '@hearth/chat'
import { Bucket } from './bucket.ts'

/** Beyond this many names, those with the oldest attempts are forgotten, so a flood cannot exhaust memory. */
export const MAX_NAMES = 10_000

export class AttemptLimiter {
  readonly #perMinute: number
  readonly #burst: number
  readonly #buckets = new Map<string, Bucket>()

  /** `burst` is how many of them may come at once. */
  constructor(perMinute: number, burst = perMinute) {
    this.#perMinute = perMinute
    this.#burst = burst
  }

  /** Milliseconds to wait before the next attempt; 0 if this one was counted and may proceed. */
  take(name: string, now: number, amount = 1): number {
    const bucket = this.#buckets.get(name) ?? new Bucket(this.#perMinute, now, this.#burst)
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

/** Throws a 429 that says when to try again, unless there is nothing to wait for. */
export function rejectFor(waitMs: number, reason: string): void {
  if (waitMs === 0) return
  const headers = retryAfter(waitMs)
  const message = `${reason} Try again in ${headers['retry-after']} s.`
  throw new ApiError('rate_limit_exceeded', message, null, headers)
}
