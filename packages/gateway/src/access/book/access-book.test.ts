import { describe, expect, it, vi } from 'vitest'
import type { RevisionRange } from '../../store/revisions/access-tables.ts'
import type { Model } from '../../store/models.ts'
import type { AccessDevice, AccessKey, Changed } from '../../store/revisions/access-rows.ts'
import type { Revisions } from '../../store/revisions/revisions.ts'
import { AccessBook, type AccessLosses } from './access-book.ts'
import { authenticate, confirm } from '../authenticate.ts'
import { hash } from 'node:crypto'

function open() {
  const state = {
    revisions: { keys: 1, models: 1, devices: 1 },
    keys: [{ id: 'k1', organization: 'o1', digest: hash('sha256', 'secret') }] as AccessKey[],
    models: [{ organization: 'o1', name: 'm', state: 'enabled', ownedBy: 'x', createdAt: new Date(0) }] as Model[],
    devices: [] as AccessDevice[],
    isDown: false,
    reads: 0,
    announce: undefined as (() => void) | undefined,
    known: [] as Revisions[],
    /** Without it, changes are too long ago to know. */
    changedKeys: undefined as ((range: RevisionRange) => Changed<AccessKey>[]) | undefined,
  }
  let now = 0
  let today = Date.now()
  const pauses: string[][] = []
  const losses: AccessLosses[] = []
  const book = new AccessBook({
    store: {
      revisions: async () => {
        if (state.isDown) throw new Error('down')
        return { ...state.revisions }
      },
      keyPage: async () => {
        state.reads += 1
        return { rows: state.keys }
      },
      modelPage: async () => ({ rows: state.models }),
      devicePage: async () => ({ rows: state.devices }),
      changedKeys: async (range) => state.changedKeys?.(range),
      changedModels: async () => undefined,
      changedDevices: async () => undefined,
      watchAccess: async (listener) => {
        state.announce = () => listener.onChange()
        return { known: (revisions) => state.known.push(revisions), close: async () => undefined }
      },
    },
    pollMs: 10,
    graceMs: 120_000,
    onError: () => undefined,
    now: () => now,
    today: () => today,
  })
  book.listen({
    lost: (lost) => losses.push(lost),
    paused: (devices) => pauses.push(devices),
    defaultsChanged: () => undefined,
  })
  return {
    state,
    book,
    losses,
    pauses,
    changeKeys: async (...changes: Changed<AccessKey>[]) => {
      state.changedKeys = () => changes
      state.revisions.keys += 1
      await book.refresh()
    },
    pass: (ms: number) => (now += ms),
    passDays: (days: number) => (today += days * 86_400_000),
  }
}

/** Once it has read everything. */
async function opened() {
  const all = open()
  await all.book.refresh()
  return all
}

describe('the access book', () => {
  it('reads a change when it is announced, and then says so', async () => {
    const { book, state } = await opened()
    void book.follow()
    await vi.waitFor(() => expect(state.announce).toBeDefined())
    state.revisions.keys = 2
    state.keys = []
    state.announce!()
    await vi.waitFor(() => expect(state.known.at(-1)).toEqual({ keys: 2, models: 1, devices: 1 }))
    expect(book.caller(hash('sha256', 'secret'))).toBeUndefined()
    await book.close()
  })

  it('[A3] finds the caller of a key', async () => {
    const { book } = await opened()
    expect(authenticate('Bearer secret', book)).toMatchObject({ key: 'k1', organization: 'o1' })
    expect(authenticate('bEARER   secret', book)).toMatchObject({ key: 'k1' })
  })

  it.each([undefined, 'secret', 'Basic secret', 'Bearer ', 'Bearer a b'])(
    '[A4] rejects the header %j',
    async (header) => {
      const { book } = await opened()
      expect(() => authenticate(header, book)).toThrow(expect.objectContaining({ code: 'invalid_api_key' }))
    },
  )

  it('accepts both secrets of a rotated key until the old one ends', async () => {
    const { book, changeKeys, losses } = await opened()
    const key = (endsAt: number) => ({
      id: 'k1',
      organization: 'o1',
      digest: hash('sha256', 'new'),
      previous: { digest: hash('sha256', 'secret'), endsAt: new Date(endsAt) },
    })
    await changeKeys({ organization: 'o1', id: 'k1', now: key(Date.now() + 60_000) })
    for (const secret of ['new', 'secret']) expect(authenticate(`Bearer ${secret}`, book)).toMatchObject({ key: 'k1' })
    await changeKeys({ organization: 'o1', id: 'k1', now: key(Date.now() - 1) })
    expect(authenticate('Bearer new', book)).toMatchObject({ key: 'k1' })
    expect(() => authenticate('Bearer secret', book)).toThrow(expect.objectContaining({ code: 'invalid_api_key' }))
    expect(losses).toEqual([])
  })

  it('ends the work of a key whose old secret stops at once', async () => {
    const { book, changeKeys, losses } = await opened()
    const now = { id: 'k1', organization: 'o1', digest: hash('sha256', 'new') }
    await changeKeys({ organization: 'o1', id: 'k1', now })
    expect(() => authenticate('Bearer secret', book)).toThrow(expect.objectContaining({ code: 'invalid_api_key' }))
    expect(authenticate('Bearer new', book)).toMatchObject({ key: 'k1' })
    expect(losses).toMatchObject([{ keys: ['k1'] }])
  })

  it('[A2] rejects an expired key', async () => {
    const { book, state } = open()
    state.keys[0]!.expiresAt = new Date(Date.now() - 1)
    await book.refresh()
    expect(() => authenticate('Bearer secret', book)).toThrow(expect.objectContaining({ code: 'invalid_api_key' }))
  })

  it('[A2] reads only the keys that changed, also that one which worked before was revoked', async () => {
    const { book, state, losses } = await opened()
    for (let request = 0; request < 2; request++)
      expect(authenticate('Bearer secret', book)).toMatchObject({ key: 'k1' })
    const added = { id: 'k2', organization: 'o1', digest: hash('sha256', 'secret-2') }
    const asked: RevisionRange[] = []
    state.changedKeys = (range) => {
      asked.push(range)
      return [
        { organization: 'o1', id: 'k1' },
        { organization: 'o1', id: 'k2', now: added },
        { organization: 'o1', id: 'k3' },
      ]
    }
    state.revisions.keys = 4
    await book.refresh()
    expect(asked).toEqual([{ after: 1, upTo: 4 }])
    expect(state.reads).toBe(1)
    expect(() => authenticate('Bearer secret', book)).toThrow(expect.objectContaining({ code: 'invalid_api_key' }))
    expect(authenticate('Bearer secret-2', book)).toMatchObject({ key: 'k2' })
    expect(losses).toEqual([{ keys: ['k1'], models: [], devices: [] }])
  })

  it('reads many changes in pieces, and goes on where it failed', async () => {
    const { book, state } = await opened()
    const asked: number[] = []
    state.changedKeys = ({ after }) => {
      asked.push(after)
      if (asked.length === 2) throw new Error('down')
      return []
    }
    state.revisions.keys = 2_500
    await book.refresh().catch(() => undefined)
    await book.refresh()
    expect(asked).toEqual([1, 1_001, 1_001, 2_001])
  })

  it('reads everything again when the changes are too long ago, or the database went back in time', async () => {
    const { book, state, losses } = await opened()
    state.keys = [{ ...state.keys[0]!, id: 'k2', digest: 'd2' }]
    state.revisions.keys = 20_000
    await book.refresh()
    expect([state.reads, losses]).toEqual([2, [{ keys: ['k1'], models: [], devices: [] }]])
    state.keys = []
    state.revisions.keys = 19_000
    await book.refresh()
    expect([state.reads, losses.at(-1)]).toEqual([3, { keys: ['k2'], models: [], devices: [] }])
  })

  it('reports what was lost before a failure of the store', async () => {
    const { book, state, losses } = await opened()
    state.changedKeys = ({ after }) => {
      if (after > 1) throw new Error('down')
      return [{ organization: 'o1', id: 'k1' }]
    }
    state.revisions.keys = 2_500
    await expect(book.refresh()).rejects.toThrow('down')
    expect(losses).toEqual([{ keys: ['k1'], models: [], devices: [] }])
  })

  it('reports which keys and models lost access', async () => {
    const { book, state, losses } = await opened()
    state.revisions = { keys: 2, models: 2, devices: 1 }
    state.keys = []
    state.models = [{ ...state.models[0]!, state: 'disabled' }]
    await book.refresh()
    expect(losses).toMatchObject([{ keys: ['k1'], models: [{ organization: 'o1', name: 'm' }], devices: [] }])
  })

  it('[A2b] rejects everyone once the store has been silent for longer than the grace time', async () => {
    const { book, state, pass } = await opened()
    state.isDown = true
    pass(120_000)
    await book.refresh().catch(() => undefined)
    expect(authenticate('Bearer secret', book)).toBeDefined()
    pass(1)
    expect(() => authenticate('Bearer secret', book)).toThrow(expect.objectContaining({ code: 'service_unavailable' }))
  })

  it('says that the store is silent after five seconds', async () => {
    const { book, state, pass } = await opened()
    state.isDown = true
    pass(5_000)
    expect([book.silentMs, book.isStoreSilent]).toEqual([5_000, false])
    pass(1)
    expect([book.isStoreSilent, book.isFresh]).toEqual([true, true])
    state.isDown = false
    await book.refresh()
    expect([book.silentMs, book.isStoreSilent]).toEqual([0, false])
  })

  it.each([false, true])('reports each expired key once, without reading the keys (store down: %s)', async (isDown) => {
    const { book, state, losses, passDays } = open()
    state.keys.push({ ...state.keys[0]!, id: 'k2', digest: 'd2', expiresAt: new Date(Date.now() + 86_400_000) })
    await book.refresh()
    expect(losses).toEqual([])
    state.isDown = isDown
    passDays(2)
    for (let time = 0; time < 2; time++)
      await (isDown ? expect(book.refresh()).rejects.toThrow('down') : book.refresh())
    expect(losses).toEqual([{ keys: ['k2'], models: [], devices: [] }])
    expect(state.reads).toBe(1)
  })

  it('rejects a key that was revoked while its request was arriving', async () => {
    const { book, state } = await opened()
    const caller = authenticate('Bearer secret', book)
    confirm(caller, book)
    state.keys = []
    state.revisions.keys = 2
    await book.refresh()
    expect(() => confirm(caller, book)).toThrow(expect.objectContaining({ code: 'invalid_api_key' }))
  })

  it('reports which devices were paused and resumed', async () => {
    const { book, state, pauses } = open()
    const device = { id: 'd1', organization: 'o1', name: 'd', credentialDigest: 'c1', isPaused: true }
    state.devices = [device, { ...device, id: 'd2', credentialDigest: 'c2', isPaused: false }]
    await book.refresh()
    expect([book.isPaused('d1'), book.isPaused('d2')]).toEqual([true, false])
    state.devices = [{ ...device, isPaused: false }]
    state.revisions.devices = 2
    await book.refresh()
    expect(pauses).toEqual([['d1'], ['d1']])
    expect(book.isPaused('d1')).toBe(false)
  })
})
