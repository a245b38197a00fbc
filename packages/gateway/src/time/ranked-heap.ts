// A binary heap that knows the place of each item: an item moves or leaves without a search, and nothing stale stays behind.

export interface Ranked {
  /** Smaller comes first. Only the heap writes it. */
  rank: number
  /** Position in the heap, -1 outside of it. Only the heap writes it. */
  place: number
}

export class RankedHeap<Item extends Ranked> {
  readonly #items: Item[] = []

  get size(): number {
    return this.#items.length
  }

  first(): Item | undefined {
    return this.#items[0]
  }

  /** Adds the item, or moves it to its new rank. */
  put(item: Item, rank: number): void {
    const before = item.place < 0 ? Number.POSITIVE_INFINITY : item.rank
    if (item.place < 0) item.place = this.#items.push(item) - 1
    item.rank = rank
    if (rank < before) this.#rise(item)
    else this.#sink(item)
  }

  remove(item: Item): void {
    if (item.place < 0) return
    const last = this.#items.pop()!
    if (last !== item) this.#fill(item.place, last)
    item.place = -1
  }

  #fill(place: number, item: Item): void {
    this.#set(place, item)
    this.#rise(item)
    this.#sink(item)
  }

  #set(place: number, item: Item): void {
    this.#items[place] = item
    item.place = place
  }

  #rise(item: Item): void {
    let place = item.place
    while (place > 0) {
      const above = (place - 1) >> 1
      const parent = this.#items[above]!
      if (parent.rank <= item.rank) break
      this.#set(place, parent)
      place = above
    }
    this.#set(place, item)
  }

  #sink(item: Item): void {
    const items = this.#items
    let place = item.place
    for (;;) {
      let below = 2 * place + 1
      if (below >= items.length) break
      if (below + 1 < items.length && items[below + 1]!.rank < items[below]!.rank) below += 1
      const child = items[below]!
      if (child.rank >= item.rank) break
      this.#set(place, child)
      place = below
    }
    this.#set(place, item)
  }
}
