// A token bucket: so many per minute, all of them at once if need be. Pure: time comes in as a parameter, in milliseconds of any clock that
// only moves forward.

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

  /** May be negative: what was used beyond what was there is owed. */
  level(now: number): number {
    const refilled = this.#level + ((now - this.#at) * this.capacity) / MINUTE_MS
    return Math.min(this.capacity, refilled)
  }

  /** A negative amount gives back. */
  take(amount: number, now: number): void {
    this.#level = Math.min(this.capacity, this.level(now) - amount)
    this.#at = now
  }

  /** Milliseconds until so much is there again; 0 when it is there now. */
  msUntil(amount: number, now: number): number {
    const missing = Math.min(amount, this.capacity) - this.level(now)
    return missing <= 0 ? 0 : Math.ceil((missing * MINUTE_MS) / this.capacity)
  }

  isFull(now: number): boolean {
    return this.level(now) >= this.capacity
  }
}
