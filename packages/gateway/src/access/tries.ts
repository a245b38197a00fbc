// How often somebody may try a secret: a password, a code, a one-time link. Counted by whatever names the one who tries (an address, a
// person, an e-mail address), in memory. Pure: time comes in as a parameter.

import { Bucket } from './bucket.ts'

/** More names than this are forgotten, those who have not tried for longest first: memory is bounded, and so is what a flood can do. */
const MAX_NAMES = 10_000

export class Tries {
  readonly #perMinute: number
  readonly #buckets = new Map<string, Bucket>()

  constructor(perMinute: number) {
    this.#perMinute = perMinute
  }

  /** Milliseconds to wait before the next try; 0 when this one is counted and may go on. */
  take(name: string, now: number): number {
    const bucket = this.#buckets.get(name) ?? new Bucket(this.#perMinute, now)
    // Moved to the end: the map's order is the order of the last tries.
    this.#buckets.delete(name)
    this.#buckets.set(name, bucket)
    this.#forgetOldest(now)
    const waitMs = bucket.msUntil(1, now)
    if (waitMs === 0) bucket.take(1, now)
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
