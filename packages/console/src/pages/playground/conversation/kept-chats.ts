// Keeps conversations and presets in the browser, and follows what other tabs of the same person do with them.

import type { SharedValue } from '../../../lib/shared-value.ts'
import { messageOf } from '../../../parts/feedback/states.tsx'
import { showToast } from '../../../parts/feedback/toasts.tsx'
import type { Preset } from '../settings/preset.ts'
import type { BrowserStore, KeptRecord } from './browser-store.ts'
import {
  isChatRunning,
  isUnused,
  stopChat,
  withItem,
  withoutItem,
  type Chat,
  type Chats,
  type ChatColumn,
} from './chats.ts'
import { nextId } from './next-id.ts'

/** Beyond them, the conversations that changed least recently go. */
export const MOST_CHATS = 200
const MOST_CHARACTERS = 20_000_000
/** While a response grows. */
const PAUSE_MS = 1_000

type Item = Chat | Preset

export class KeptChats {
  readonly #owner: string
  readonly #store: BrowserStore
  readonly #state: SharedValue<Chats>
  readonly #end = new AbortController()
  /** What this tab last read or wrote, by id. */
  readonly #known = new Map<number, Omit<KeptRecord, 'value'> & { item: Item }>()
  #turn = Promise.resolve()
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(owner: string, store: BrowserStore, state: SharedValue<Chats>) {
    this.#owner = owner
    this.#store = store
    this.#state = state
  }

  async start(): Promise<void> {
    this.#store.subscribe(() => void this.#inTurn(async () => this.#read()), this.#end.signal)
    await this.#inTurn(async () => this.#read())
    this.#state.watch(() => {
      const isGrowing = this.#state.get().chats.some(isChatRunning)
      if (!isGrowing) clearTimeout(this.#timer)
      if (!isGrowing || this.#timer === undefined)
        this.#timer = setTimeout(() => this.flush(), isGrowing ? PAUSE_MS : 0)
    })
  }

  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    void this.#inTurn(async () => this.#write())
  }

  async removeAll(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#store.remove(this.#owner)
      this.#store.notify()
    })
  }

  close(): void {
    this.flush()
    this.#end.abort()
  }

  /** One after the other, so that what is known is what is kept. A browser that can't write is said once, and tried again. */
  async #inTurn(act: () => Promise<void>): Promise<void> {
    this.#turn = this.#turn.then(act).then(
      () => this.#say(undefined),
      (error: unknown) => this.#say(messageOf(error)),
    )
    return this.#turn
  }

  #say(storageError: string | undefined): void {
    const state = this.#state.get()
    if (state.storageError !== storageError) this.#state.set({ ...state, storageError })
  }

  async #read(): Promise<void> {
    const records = await this.#store.read(this.#owner)
    let state = this.#state.get()
    for (const { value, ...record } of records.toSorted((one, other) => one.at - other.at)) {
      const known = this.#known.get(record.id)
      // What this tab changed meanwhile stays; see #write.
      if (known?.revision === record.revision || findItem(state, record.id) !== known?.item) continue
      const item = readItem(record.kind, value)
      this.#known.set(record.id, { ...record, item })
      state = withItem(state, item)
    }
    for (const [id, { item }] of this.#known) {
      if (records.some((record) => record.id === id)) continue
      this.#known.delete(id)
      if (findItem(state, id) === item) state = withoutItem(state, id, nextId)
    }
    if (state !== this.#state.get()) this.#state.set(state)
  }

  async #write(): Promise<void> {
    const items = itemsOf(this.#state.get())
    const changed = items.filter((item) => this.#known.get(item.id)?.item !== item)
    const removed = [...this.#known.keys()].filter((id) => items.every((item) => item.id !== id))
    for (const id of removed) {
      await this.#store.remove(this.#owner, id)
      this.#known.delete(id)
    }
    for (const item of changed.toReversed()) await this.#put(item)
    if (changed.length + removed.length > 0) this.#store.notify()
    this.#dropOldest()
  }

  /** If another tab wrote the same conversation, both versions stay. */
  async #put(item: Item): Promise<void> {
    const text = JSON.stringify(writeItem(item), leaveOutTokens)
    const kind = 'columns' in item ? 'chat' : 'preset'
    const written = { at: Date.now(), revision: nextId(), size: text.length, value: JSON.parse(text) as object }
    const record: KeptRecord = { owner: this.#owner, id: item.id, kind, ...written }
    if (await this.#store.put(record, this.#known.get(item.id)?.revision))
      return void this.#known.set(item.id, { ...record, item })
    this.#known.delete(item.id)
    const state = this.#state.get()
    const now = findItem(state, item.id)
    if (now) {
      const copy = { ...now, id: nextId() }
      const others = withItem(withoutItem(state, item.id, nextId), copy)
      this.#state.set({ ...others, current: state.current === item.id ? copy.id : others.current })
      showToast('Another tab changed this conversation, too. Both versions are in the list.')
    }
    await this.#read()
  }

  #dropOldest(): void {
    const state = this.#state.get()
    const chats = [...this.#known.values()].filter(({ kind }) => kind === 'chat')
    const size = chats.reduce((sum, chat) => sum + chat.size, 0)
    if (chats.length <= MOST_CHATS && size <= MOST_CHARACTERS) return
    const old = chats.filter(({ id, item }) => id !== state.current && !isChatRunning(item as Chat))
    const oldest = old.toSorted((one, other) => one.at - other.at || one.id - other.id)[0]
    if (!oldest) return
    this.#state.set(withoutItem(state, oldest.id, nextId))
    showToast(
      `The oldest conversation was removed: this browser keeps ${MOST_CHATS}, and ${MOST_CHARACTERS / 1_000_000} MB.`,
    )
  }
}

function itemsOf({ chats, presets }: Chats): Item[] {
  return [...chats.filter((chat) => !isUnused(chat)), ...presets]
}

function findItem({ chats, presets }: Chats, id: number): Item | undefined {
  return chats.find((chat) => chat.id === id) ?? presets.find((preset) => preset.id === id)
}

/** Log probabilities are many times larger than their text. */
function leaveOutTokens(name: string, value: unknown): unknown {
  return name === 'tokens' ? [] : name === 'tokenCount' ? 0 : value
}

/**
 * A chat as the browser keeps it. Only this page writes here, and the number of the database
 * changes with the shape: columns are called lanes there.
 */
type KeptChat = Omit<Chat, 'columns'> & { lanes: Chat['columns'] }

function writeItem(item: Item): KeptChat | Preset {
  if (!('columns' in item)) return item
  const { columns, ...chat } = item
  return { ...chat, lanes: columns }
}

/** Columns get ids that no column of this tab has. */
function readItem(kind: KeptRecord['kind'], value: object): Item {
  if (kind === 'preset') return value as Preset
  const { lanes, ...kept } = value as KeptChat
  const chat = stopChat({ ...kept, columns: lanes })
  const [first, ...others] = chat.columns
  const renumber = (column: ChatColumn): ChatColumn => ({ ...column, id: nextId() })
  return { ...chat, columns: [renumber(first), ...others.map(renumber)] }
}
