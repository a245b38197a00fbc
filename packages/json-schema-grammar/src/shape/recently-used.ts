// Keeps what was used last, for things that take long to make and come up again and again.

export class RecentlyUsed<Value extends object> {
  readonly #max: number
  /** The longest unused first. */
  readonly #kept = new Map<string, Value>()

  constructor(max: number) {
    this.#max = max
  }

  getOrMake(key: string, make: () => Value): Value {
    const known = this.#kept.get(key)
    const value = known ?? make()
    if (known !== undefined) this.#kept.delete(key)
    else if (this.#kept.size >= this.#max) this.#dropOldest()
    this.#kept.set(key, value)
    return value
  }

  #dropOldest(): void {
    const [oldest] = this.#kept.keys()
    if (oldest !== undefined) this.#kept.delete(oldest)
  }
}
