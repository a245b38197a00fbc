import { afterEach, describe, expect, it, vi } from 'vitest'
import { SharedValue } from '../../../lib/shared-value.ts'
import { DEFAULTS } from '../settings/settings.ts'
import type { BrowserStore, KeptRecord } from './browser-store.ts'
import { chatName, startChats, withItem, withoutItem, type Chat, type Chats } from './chats.ts'
import { KeptChats, MOST_CHATS } from './kept-chats.ts'
import { nextId } from './next-id.ts'

/** What a browser keeps, with the rule of the real one about revisions. */
function memory() {
  const records = new Map<string, KeptRecord>()
  const tabs = new EventTarget()
  const keyOf = (owner: string, id: number) => `${owner} ${id}`
  const store: BrowserStore = {
    read: async (owner) => [...records.values()].filter((record) => record.owner === owner),
    put: async (record, before) => {
      const found = records.get(keyOf(record.owner, record.id))
      if (found !== undefined && found.revision !== before) return false
      records.set(keyOf(record.owner, record.id), record)
      return true
    },
    remove: async (owner, id) => {
      for (const [key, record] of records)
        if (record.owner === owner && (id === undefined || record.id === id)) records.delete(key)
    },
    notify: () => void tabs.dispatchEvent(new Event('change')),
    subscribe: (onChange, signal) => tabs.addEventListener('change', onChange, { signal }),
  }
  return { records, store }
}

const open: KeptChats[] = []
afterEach(() => {
  for (const tab of open.splice(0)) tab.close()
})

async function openTab(store: BrowserStore, owner = 'ada home') {
  const state = new SharedValue<Chats>({ ...startChats(nextId), presets: [], storageError: undefined })
  const kept = new KeptChats(owner, store, state)
  open.push(kept)
  await kept.start()
  const names = () => state.get().chats.map(chatName)
  return { state, kept, names, add: (chat: Chat) => state.set(withItem(state.get(), chat)) }
}

const chat = (text: string): Chat => ({
  id: nextId(),
  name: undefined,
  columns: [{ id: nextId(), model: 'm', turns: [{ id: nextId(), role: 'user', text }] }],
})

describe('conversations in the browser', () => {
  it('are there at the next visit of the same person, and of nobody else', async () => {
    const { store, records } = memory()
    const first = await openTab(store)
    first.add(chat('Why?'))
    const preset = { id: nextId(), name: 'Terse', model: 'm', settings: DEFAULTS }
    first.state.set(withItem(first.state.get(), preset))
    await vi.waitFor(() => expect(records.size).toBe(2))
    const again = await openTab(store)
    expect(again.names()).toStrictEqual(['New conversation', 'Why?'])
    expect(again.state.get().presets).toStrictEqual([preset])
    expect((await openTab(store, 'grace home')).names()).toStrictEqual(['New conversation'])
  })

  it('have the shape on the disk that every tab of this database reads', async () => {
    const { store, records } = memory()
    const tab = await openTab(store)
    tab.add(chat('Why?'))
    await vi.waitFor(() => expect(records.size).toBe(1))
    expect([...records.values()]).toMatchObject([{ value: { lanes: [{ model: 'm', turns: [{ text: 'Why?' }] }] } }])
  })

  it('appear and go in other tabs', async () => {
    const { store } = memory()
    const [one, other] = [await openTab(store), await openTab(store)]
    const added = chat('Why?')
    one.add(added)
    await vi.waitFor(() => expect(other.names()).toStrictEqual(['New conversation', 'Why?']))
    other.state.set(withoutItem(other.state.get(), added.id, nextId))
    await vi.waitFor(() => expect(one.names()).toStrictEqual(['New conversation']))
  })

  it('that two tabs change at once stay in both versions', async () => {
    const { store, records } = memory()
    const one = await openTab(store)
    const added = chat('Why?')
    one.add(added)
    await vi.waitFor(() => expect(records.size).toBe(1))
    const other = await openTab(store)
    one.add({ ...added, name: 'Mine' })
    other.add({ ...added, name: 'Yours' })
    for (const tab of [one, other])
      await vi.waitFor(() => expect(tab.names().toSorted()).toStrictEqual(['Mine', 'New conversation', 'Yours']))
    expect(records.size).toBe(2)
  })

  it('go on in memory while the browser can’t write, and are written once it can', async () => {
    const { store, records } = memory()
    let isFull = true
    const put: BrowserStore['put'] = async (...record) => {
      if (isFull) throw new Error('The quota has been exceeded.')
      return store.put(...record)
    }
    const tab = await openTab({ ...store, put })
    tab.add(chat('Why?'))
    await vi.waitFor(() => expect(tab.state.get().storageError).toBe('The quota has been exceeded.'))
    expect(tab.names()).toContain('Why?')
    isFull = false
    tab.add(chat('How?'))
    await vi.waitFor(() => expect(tab.state.get().storageError).toBeUndefined())
    expect(records.size).toBe(2)
  })

  it('are bounded: the oldest goes', async () => {
    const { store, records } = memory()
    const tab = await openTab(store)
    for (let count = 0; count <= MOST_CHATS; count++) tab.add(chat(`Question ${count}`))
    await vi.waitFor(() => expect(records.size).toBe(MOST_CHATS))
    expect(tab.names()).not.toContain('Question 0')
    expect(tab.names()).toContain(`Question ${MOST_CHATS}`)
  })

  it('are gone everywhere once all are deleted', async () => {
    const { store, records } = memory()
    const [one, other] = [await openTab(store), await openTab(store)]
    one.add(chat('Why?'))
    await vi.waitFor(() => expect(other.names()).toContain('Why?'))
    one.state.set({ ...one.state.get(), ...startChats(nextId) })
    await one.kept.removeAll()
    expect(records.size).toBe(0)
    await vi.waitFor(() => expect(other.names()).toStrictEqual(['New conversation']))
  })
})
