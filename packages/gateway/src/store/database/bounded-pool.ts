// A pool of connections with a bounded queue. A query that would have to wait too long fails at once, and the caller can try again later.
// Otherwise a flood of queries would make all of them wait longer and longer.

import { Pool, type PoolClient, type PoolConfig } from 'pg'
import { StoreError } from './store-error.ts'

export interface QueueBounds {
  /** How many queries may wait for a connection. */
  maxWaiting: number
  /** While a query has waited longer than this, no other one may join the queue. */
  maxWaitMs: number
}

/** A few seconds of work for the embedded database, much less for PostgreSQL. */
export const BOUNDS: QueueBounds = { maxWaiting: 200, maxWaitMs: 10_000 }

type Callback = Parameters<Pool['connect']>[0]

export class BoundedPool extends Pool {
  readonly #bounds: QueueBounds
  /** Since when each query has been waiting, the oldest first. */
  readonly #waiting = new Map<symbol, number>()

  constructor(config: PoolConfig, bounds = BOUNDS) {
    super(config)
    this.#bounds = bounds
  }

  override connect(): Promise<PoolClient>
  override connect(callback: Callback): void
  override connect(callback?: Callback): Promise<PoolClient> | void {
    if (callback) return this.#join(callback)
    return new Promise((resolve, reject) => {
      this.#join((error, client) => (client ? resolve(client) : reject(error ?? new Error('no connection'))))
    })
  }

  #join(callback: Callback): void {
    if (this.#isFull()) return process.nextTick(callback, busy(), undefined, () => undefined)
    const place = Symbol('place in the queue')
    this.#waiting.set(place, performance.now())
    super.connect((error, client, release) => {
      this.#waiting.delete(place)
      callback(error, client, release)
    })
  }

  #isFull(): boolean {
    if (this.#waiting.size >= this.#bounds.maxWaiting) return true
    const [oldest] = this.#waiting.values()
    return oldest !== undefined && performance.now() - oldest > this.#bounds.maxWaitMs
  }
}

function busy(): StoreError {
  return new StoreError('busy', 'The database is busy: too many queries are waiting')
}
