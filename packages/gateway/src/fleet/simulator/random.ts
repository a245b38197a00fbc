// Random numbers from a seed: the same seed gives the same world on every machine.

export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) | 0
  }

  /** A whole number of 32 bits (splitmix32). */
  bits(): number {
    this.#state = (this.#state + 0x9e3779b9) | 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return (mixed ^ (mixed >>> 15)) >>> 0
  }

  /** From 0 to 1, without 1. */
  fraction(): number {
    return this.bits() / 0x1_0000_0000
  }

  /** A whole number from `least` to `most`. */
  between(least: number, most: number): number {
    return least + Math.floor(this.fraction() * (most - least + 1))
  }

  chance(probability: number): boolean {
    return this.fraction() < probability
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.between(0, items.length - 1)]!
  }

  shuffled<Item>(items: readonly Item[]): Item[] {
    const ranked = items.map((item) => ({ item, rank: this.fraction() }))
    return ranked.toSorted((one, other) => one.rank - other.rank).map(({ item }) => item)
  }

  some<Item>(items: readonly Item[], probability: number): Item[] {
    return items.filter(() => this.chance(probability))
  }
}
