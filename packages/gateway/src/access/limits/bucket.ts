// A token bucket: a fixed number per minute, which may all be used at once, or only some of them. Pure: time is a parameter, in milliseconds
// of any monotonic clock.

const MINUTE_MS = 60_000

export class Bucket {
  /** How many may be used at once. */
  readonly capacity: number
  readonly #perMinute: number
  #level: number
  #at: number

  constructor(perMinute: number, now: number, capacity = perMinute) {
    this.capacity = capacity
    this.#perMinute = perMinute
    this.#level = capacity
    this.#at = now
  }

  /** Negative after an overdraft, which has to be refilled first. */
  level(now: number): number {
    const refilled = this.#level + ((now - this.#at) * this.#perMinute) / MINUTE_MS
    return Math.min(this.capacity, refilled)
  }

  /** A negative amount is a refund. */
  take(amount: number, now: number): void {
    this.#level = Math.min(this.capacity, this.level(now) - amount)
    this.#at = now
  }

  /** Milliseconds until this amount is available; 0 if it is available now. */
  msUntil(amount: number, now: number): number {
    const missing = Math.min(amount, this.capacity) - this.level(now)
    return missing <= 0 ? 0 : Math.ceil((missing * MINUTE_MS) / this.#perMinute)
  }

  isFull(now: number): boolean {
    return this.level(now) >= this.capacity
  }
}
