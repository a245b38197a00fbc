// What waits for all organizations, in turns: one that brings much keeps only itself waiting.

export class Turns<Item> {
  /** By organization. The first one is next; after its turn it goes to the end. */
  readonly #queues = new Map<string, Item[]>()
  #size = 0

  get size(): number {
    return this.#size
  }

  add(organization: string, item: Item): void {
    const queue = this.#queues.get(organization)
    if (queue) queue.push(item)
    else this.#queues.set(organization, [item])
    this.#size += 1
  }

  next(): Item | undefined {
    const [first] = this.#queues
    if (first === undefined) return undefined
    const [organization, queue] = first
    this.#queues.delete(organization)
    if (queue.length > 1) this.#queues.set(organization, queue)
    this.#size -= 1
    return queue.shift()
  }
}
