import { describe, expect, it } from 'vitest'
import type { AccessKey, AccessModel } from '../store/store.ts'
import { AccessBook, type AccessLosses } from './access-book.ts'
import { authenticate } from './authenticate.ts'
import { hash } from 'node:crypto'

function open() {
  const state = {
    revisions: { keys: 1, models: 1, devices: 1 },
    keys: [{ id: 'k1', organization: 'o1', digest: hash('sha256', 'secret') }] as AccessKey[],
    models: [
      { organization: 'o1', name: 'm', state: 'enabled', ownedBy: 'x', createdAt: new Date(0) },
    ] as AccessModel[],
    isDown: false,
    reads: 0,
  }
  let now = 0
  const losses: AccessLosses[] = []
  const book = new AccessBook({
    store: {
      revisions: async () => {
        if (state.isDown) throw new Error('down')
        return { ...state.revisions }
      },
      accessKeys: async () => {
        state.reads += 1
        return state.keys
      },
      accessModels: async () => state.models,
      accessDevices: async () => [],
    },
    pollMs: 10,
    onLosses: (lost) => losses.push(lost),
    onError: () => undefined,
    now: () => now,
  })
  return { state, book, losses, pass: (ms: number) => (now += ms) }
}

describe('the access book', () => {
  it('[A3] finds the caller of a key', async () => {
    const { book } = open()
    await book.refresh()
    expect(authenticate('Bearer secret', book)).toMatchObject({ key: 'k1', organization: 'o1' })
    expect(authenticate('bEARER   secret', book)).toMatchObject({ key: 'k1' })
  })

  it.each([undefined, 'secret', 'Basic secret', 'Bearer ', 'Bearer a b'])(
    '[A4] refuses the header %j',
    async (header) => {
      const { book } = open()
      await book.refresh()
      expect(() => authenticate(header, book)).toThrow(expect.objectContaining({ code: 'invalid_api_key' }))
    },
  )

  it('[A2] refuses a key that has expired', async () => {
    const { book, state } = open()
    state.keys[0]!.expiresAt = new Date(Date.now() - 1)
    await book.refresh()
    expect(() => authenticate('Bearer secret', book)).toThrow(expect.objectContaining({ code: 'invalid_api_key' }))
  })

  it('[A2a] reads keys again only when their revision moved', async () => {
    const { book, state } = open()
    await book.refresh()
    await book.refresh()
    expect(state.reads).toBe(1)
    state.revisions.keys = 2
    await book.refresh()
    expect(state.reads).toBe(2)
  })

  it('[A2a] tells which keys and models were lost', async () => {
    const { book, state, losses } = open()
    await book.refresh()
    state.revisions = { keys: 2, models: 2, devices: 1 }
    state.keys = []
    state.models = [{ ...state.models[0]!, state: 'disabled' }]
    await book.refresh()
    expect(losses).toMatchObject([{ keys: ['k1'], models: [{ organization: 'o1', name: 'm' }], devices: [] }])
  })

  it('[A2b] lets nobody in when the store has been silent for more than five seconds', async () => {
    const { book, state, pass } = open()
    await book.refresh()
    state.isDown = true
    pass(5_000)
    await book.refresh().catch(() => undefined)
    expect(authenticate('Bearer secret', book)).toBeDefined()
    pass(1)
    expect(() => authenticate('Bearer secret', book)).toThrow(expect.objectContaining({ code: 'service_unavailable' }))
  })
})
