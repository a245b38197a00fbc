// A token bucket: a fixed number per minute, which may all be used at once. Pure: time is a parameter, in milliseconds of any monotonic
// clock.

const MINUTE_MS = 60_000

export class Bucket {
  readonly capacity: number
  #level: number
  #at: number

  constructor(perMinute: number, now: number) {
    this.capacity = perMinute
    this.#level = perMinute
    this.#at = now
  }

  /** Negative after an overdraft, which has to be refilled first. */
  level(now: number): number {
    const refilled = this.#level + ((now - this.#at) * this.capacity) / MINUTE_MS
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
    return missing <= 0 ? 0 : Math.ceil((missing * MINUTE_MS) / this.capacity)
  }

  isFull(now: number): boolean {
    return this.level(now) >= this.capacity
  }
}
