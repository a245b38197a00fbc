// Bounds how long one turn of the event loop begins new requests. A thousand requests that arrive at once, on a thousand connections, would
// all be answered before anyone else is heard. Beyond the time, they wait for one of the next turns, and whoever comes later goes first: it
// is seldom the crowd.

/** For requests that have just arrived, and the same for those that wait. */
const MOST_MS = 5

export class TurnTime {
  /** Undefined until a request arrives in this turn. */
  #startedAt: number | undefined
  readonly #late: (() => void)[] = []
  readonly #now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  get isOver(): boolean {
    if (this.#startedAt !== undefined) return this.#now() - this.#startedAt > MOST_MS
    this.#startedAt = this.#now()
    setImmediate(this.#endTurn)
    return false
  }

  /** Calls it in one of the next turns. */
  later(begin: () => void): void {
    this.#late.push(begin)
  }

  readonly #endTurn = (): void => {
    const startedAt = (this.#startedAt = this.#now())
    for (let begin = this.#late.shift(); begin !== undefined; begin = this.#late.shift()) {
      begin()
      if (this.#now() - startedAt > MOST_MS) break
    }
    // With requests left, the next turn counts from here, whether or not it brings new ones.
    this.#startedAt = this.#late.length > 0 ? this.#now() : undefined
    if (this.#late.length > 0) setImmediate(this.#endTurn)
  }
}

/** There is one event loop. */
export const turnTime = new TurnTime()
