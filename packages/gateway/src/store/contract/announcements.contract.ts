import { afterEach, describe, expect, it, vi } from 'vitest'
import type { AccessWatch } from '../revisions/announcements.ts'
import { store, world } from '../../testing/store-world.ts'

const WAIT = { timeout: 150_000, interval: 5 }

describe('announcements', () => {
  const watches: AccessWatch[] = []
  afterEach(async () => {
    await Promise.all(watches.splice(0).map((watch) => watch.close()))
  })

  async function watch(onChange: () => void): Promise<AccessWatch> {
    const opened = await store.watchAccess({ onChange, onError: () => undefined })
    watches.push(opened)
    return opened
  }

  it('[N61] tell everyone who watches of a change of access', async () => {
    const [first, second] = [vi.fn(), vi.fn()]
    await Promise.all([watch(first), watch(second)])
    // The first call says that the connection is there.
    await vi.waitFor(() => expect([first.mock.calls.length, second.mock.calls.length]).toEqual([1, 1]), WAIT)
    await store.createKey(world.newKey())
    await vi.waitFor(() => expect([first.mock.calls.length, second.mock.calls.length]).toEqual([2, 2]), WAIT)
  })

  it('[N61] are known when everyone who watches has read the change', async () => {
    const known: number[] = []
    const read = async () => {
      const revisions = await store.revisions()
      known.push(revisions.keys)
      gateway.known(revisions)
    }
    const gateway: AccessWatch = await watch(() => void read())
    await vi.waitFor(() => expect(known).toHaveLength(1), WAIT)
    await store.createKey(world.newKey())
    await store.changesAreKnown()
    expect(known.at(-1)).toBe((await store.revisions()).keys)
  })

  it('[N61] are waited for only so long, and not at all if nobody watches', async () => {
    await store.changesAreKnown()
    const connected = Promise.withResolvers<void>()
    const stuck = await watch(connected.resolve)
    await connected.promise
    stuck.known({ keys: 0, models: 0, devices: 0 })
    await store.createKey(world.newKey())
    await store.changesAreKnown()
  })
})
