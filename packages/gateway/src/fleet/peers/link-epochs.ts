// Takes the numbers of links from the database. Many devices connect at once after a restart: requests that come while a query is running
// share the next one. A number is never taken before it was asked for, so of two links of a device the later one gets the higher number.

interface Waiting {
  resolve: (epoch: number) => void
  reject: (error: unknown) => void
}

export class LinkEpochs {
  readonly #take: (count: number) => Promise<number[]>
  #waiting: Waiting[] = []
  #isTaking = false

  constructor(take: (count: number) => Promise<number[]>) {
    this.#take = take
  }

  next(): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    this.#waiting.push({ resolve, reject })
    if (!this.#isTaking) void this.#takeAll()
    return promise
  }

  async #takeAll(): Promise<void> {
    this.#isTaking = true
    while (this.#waiting.length > 0) await this.#takeFor(this.#waiting.splice(0))
    this.#isTaking = false
  }

  async #takeFor(waiting: readonly Waiting[]): Promise<void> {
    try {
      const epochs = await this.#take(waiting.length)
      for (const [index, epoch] of epochs.entries()) waiting[index]?.resolve(epoch)
    } catch (error) {
      for (const { reject } of waiting) reject(error)
    }
  }
}
