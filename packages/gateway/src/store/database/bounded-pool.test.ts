import { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { BoundedPool, type QueueBounds } from './bounded-pool.ts'

/** A connection that is never established. */
class SilentSocket extends Socket {
  override connect(): this {
    return this
  }
}

function open(bounds: QueueBounds): BoundedPool {
  return new BoundedPool({ max: 1, stream: () => new SilentSocket() }, bounds)
}

describe('the queue in front of the database', () => {
  it('rejects a query at once when too many are waiting', async () => {
    const pool = open({ maxWaiting: 2, maxWaitMs: 600_000 })
    for (let waiting = 0; waiting < 2; waiting++) void pool.connect().catch(() => undefined)
    await expect(pool.connect()).rejects.toMatchObject({ name: 'StoreError', code: 'busy' })
    await expect(pool.query('select 1')).rejects.toMatchObject({ name: 'StoreError', code: 'busy' })
  })

  it('rejects a query at once when another one has waited too long', async () => {
    const pool = open({ maxWaiting: 100, maxWaitMs: -1 })
    void pool.connect().catch(() => undefined)
    await expect(pool.connect()).rejects.toMatchObject({ code: 'busy' })
  })
})
