// Takes the numbers of links from the database. Many devices connect at once after a restart: requests that come while a query is running
// share the next one. A number is never taken before it was asked for, so of two links of a device the later one gets the higher number.

export class LinkEpochs {
  readonly #take: (count: number) => Promise<number[]>
  /** The last query that was begun, or waits for the one before it. */
  #last: Promise<number[]> = Promise.resolve([])
  /** How many numbers the query that waits will take; 0 if none waits. */
  #wanted = 0

  constructor(take: (count: number) => Promise<number[]>) {
    this.#take = take
  }

  async next(): Promise<number> {
    const place = this.#wanted++
    if (place === 0)
      this.#last = this.#last.then(
        () => this.#takeAll(),
        () => this.#takeAll(),
      )
    const epoch = (await this.#last)[place]
    if (epoch === undefined) throw new Error('The database took fewer numbers than it was asked for')
    return epoch
  }

  #takeAll(): Promise<number[]> {
    const count = this.#wanted
    this.#wanted = 0
    return this.#take(count)
  }
}
