// A binary heap that knows the place of each item: an item moves or leaves without a search, and nothing stale stays behind.

export interface Ranked {
  /** Smaller comes first. Only the heap writes it. */
  rank: number
  /** Position in the heap, -1 outside of it. Only the heap writes it. */
  position: number
}

export class RankedHeap<Item extends Ranked> {
  readonly #items: Item[] = []
  /** Beside the items: comparing them looks at no object. */
  readonly #ranks: number[] = []

  get size(): number {
    return this.#items.length
  }

  first(): Item | undefined {
    return this.#items[0]
  }

  /** Adds the item, or moves it to its new rank. */
  put(item: Item, rank: number): void {
    item.rank = rank
    const { position } = item
    if (position < 0) {
      this.#items.push(item)
      this.#rise(item, rank, this.#ranks.push(rank) - 1)
    } else if (rank < this.#ranks[position]!) this.#rise(item, rank, position)
    else this.#sink(item, rank, position)
  }

  remove(item: Item): void {
    const { position } = item
    if (position < 0) return
    const rank = this.#ranks.pop()!
    const last = this.#items.pop()!
    item.position = -1
    if (last !== item) this.#sink(last, rank, this.#rise(last, rank, position))
  }

  #set(item: Item, rank: number, position: number): void {
    this.#ranks[position] = rank
    this.#items[position] = item
    item.position = position
  }

  /** Returns its new place. */
  #rise(item: Item, rank: number, from: number): number {
    const ranks = this.#ranks
    let position = from
    while (position > 0) {
      const above = (position - 1) >> 1
      if (ranks[above]! <= rank) break
      this.#set(this.#items[above]!, ranks[above]!, position)
      position = above
    }
    this.#set(item, rank, position)
    return position
  }

  #sink(item: Item, rank: number, from: number): void {
    const ranks = this.#ranks
    let position = from
    for (let below = 2 * position + 1; below < ranks.length; below = 2 * position + 1) {
      if (below + 1 < ranks.length && ranks[below + 1]! < ranks[below]!) below += 1
      if (ranks[below]! >= rank) break
      this.#set(this.#items[below]!, ranks[below]!, position)
      position = below
    }
    this.#set(item, rank, position)
  }
}
