// Limits how many jobs wait, in all and per key: an endless queue only hides that there are too few devices.

export class QueueBounds {
  readonly #perKey = new Map<string, number>()
  readonly #limits: { queuePerKey: number; queuePerOrganization: number }
  total = 0

  constructor(limits: { queuePerKey: number; queuePerOrganization: number }) {
    this.#limits = limits
  }

  enter(key: string): void {
    this.total += 1
    this.#perKey.set(key, (this.#perKey.get(key) ?? 0) + 1)
  }

  leave(key: string): void {
    const left = (this.#perKey.get(key) ?? 0) - 1
    this.total -= 1
    if (left > 0) this.#perKey.set(key, left)
    else this.#perKey.delete(key)
  }

  /** The limit that the waiting jobs exceed, if any. */
  exceeded(key: string): 'key' | 'organization' | undefined {
    if ((this.#perKey.get(key) ?? 0) > this.#limits.queuePerKey) return 'key'
    return this.total > this.#limits.queuePerOrganization ? 'organization' : undefined
  }

  /** Keys with at least one waiting job. */
  get perKey(): ReadonlyMap<string, number> {
    return this.#perKey
  }
}
