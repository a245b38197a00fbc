// Finds the keys that have just expired without looking at all the others: each waits in the minute of its expiry. Times are milliseconds
// since 1970.

const MINUTE_MS = 60_000

export class Expiries {
  readonly #minutes = new Map<number, Map<string, number>>()
  /** The first minute that may still hold keys. */
  #first: number

  constructor(now: number) {
    this.#first = minuteOf(now)
  }

  add(key: string, expiresAt: number): void {
    // The clock may have been set back.
    const minute = Math.max(minuteOf(expiresAt), this.#first)
    const keys = this.#minutes.get(minute) ?? new Map<string, number>()
    this.#minutes.set(minute, keys.set(key, expiresAt))
  }

  /** Keys whose time is up, each once. A key that was added again with a later time is among them too. */
  take(now: number): string[] {
    const due: string[] = []
    for (; this.#first < minuteOf(now); this.#first++) {
      for (const key of this.#minutes.get(this.#first)?.keys() ?? []) due.push(key)
      this.#minutes.delete(this.#first)
    }
    const current = this.#minutes.get(this.#first)
    for (const [key, expiresAt] of current ?? []) {
      if (expiresAt > now) continue
      current?.delete(key)
      due.push(key)
    }
    return due
  }
}

function minuteOf(time: number): number {
  return Math.floor(time / MINUTE_MS)
}
