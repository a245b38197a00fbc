// The conversations of a person in an organization, and everything that people do in them. They outlive the page, so that responses
// continue while you look at another page or conversation, and stay in this browser; see keep-chats.ts.

import { ApiFailure, isSignedOut } from '../../../api/client.ts'
import { keepForPerson } from '../../../api/person-memory.ts'
import { endSession } from '../../../api/query-client.ts'
import { ThrottledUpdates } from './throttled-updates.ts'
import { SharedValue } from '../../../lib/shared-value.ts'
import { messageOf } from '../../../parts/feedback/states.tsx'
import { notePlaygroundUse } from '../../../session/playground-use.ts'
import { copyAnswer, startAnswer } from '../request/answer.ts'
import { requestCompletion } from '../request/request-completion.ts'
import type { Body } from '../request/body.ts'
import { PlaygroundKey } from '../request/playground-key.ts'
import { MOST_PRESETS, type SharedPreset } from '../settings/preset.ts'
import { openBrowserStore, type BrowserStore } from './browser-store.ts'
import {
  changeChat,
  changeColumn,
  currentChat,
  findChat,
  startChats,
  stopChat,
  withItem,
  withColumn,
  withModel,
  withNewChat,
  withoutItem,
  withoutColumn,
  type Chat,
  type Chats,
} from './chats.ts'
import {
  requestedTurns,
  laterTurns,
  stopAll,
  type AssistantTurn,
  type Attachment,
  type ToolResult,
  type Turn,
} from './turn.ts'
import { KeptChats } from './kept-chats.ts'
import { nextId } from './next-id.ts'

const stores = new Map<string, ChatStore>()

keepForPerson({
  pause: () => {
    for (const store of stores.values()) store.stopEverything()
  },
  forget: () => {
    for (const store of stores.values()) store.close()
    stores.clear()
  },
})
window.addEventListener('pagehide', () => {
  for (const store of stores.values()) store.flush()
})

export function chatsOf(owner: string, organization: string): ChatStore {
  const store = stores.get(owner) ?? new ChatStore(new PlaygroundKey(organization), owner, openBrowserStore)
  stores.set(owner, store)
  return store
}

/** Makes the request body for these turns with the current settings. Undefined while nothing can be sent. */
export type BodyFor = (column: number, turns: readonly Turn[]) => Body | undefined

/** Turns that an action removed, besides the response it replaces. */
export interface RemovedTurns {
  count: number
  restore: () => void
}

export class ChatStore {
  readonly #key: PlaygroundKey
  /** By column. */
  readonly #running = new Map<number, AbortController>()
  readonly state = new SharedValue<Chats>({ ...startChats(nextId), presets: [], storageError: undefined })
  /** What this browser kept is there. */
  readonly ready: Promise<void>
  #kept: KeptChats | undefined
  #bodyFor: BodyFor = () => undefined

  constructor(key: PlaygroundKey, owner: string, open: () => Promise<BrowserStore>) {
    this.#key = key
    this.ready = open().then(
      async (browser) => {
        this.#kept = new KeptChats(owner, browser, this.state)
        return this.#kept.start()
      },
      (error: unknown) => this.#change((state) => ({ ...state, storageError: messageOf(error) })),
    )
  }

  prepareWith(bodyFor: BodyFor): void {
    this.#bodyFor = bodyFor
  }

  start(): void {
    this.#change((state) => withNewChat(state, nextId))
  }

  select(current: number): void {
    this.#change((state) => ({ ...state, current }))
  }

  rename(chat: number, name: string): void {
    this.#change((state) => changeChat(state, chat, (one) => ({ ...one, name })))
  }

  /** Returns how to bring it back. */
  remove(chat: number): () => void {
    const removed = findChat(this.state.get(), chat)
    for (const { id } of removed.columns) this.#stop(id)
    this.#change((state) => withoutItem(state, chat, nextId))
    return () => this.#change((state) => ({ ...withItem(state, stopChat(removed)), current: chat }))
  }

  async removeAll(): Promise<void> {
    for (const column of this.#running.keys()) this.#stop(column)
    this.#change((state) => ({ ...state, ...startChats(nextId, this.#current.columns[0].model), presets: [] }))
    await this.#kept?.removeAll()
  }

  addPreset(preset: SharedPreset): void {
    if (this.state.get().presets.length >= MOST_PRESETS)
      throw new Error(`This browser keeps ${MOST_PRESETS} presets. Delete one first.`)
    this.#change((state) => withItem(state, { id: nextId(), ...preset }))
  }

  /** Returns how to bring it back. */
  removePreset(id: number): () => void {
    const { presets } = this.state.get()
    this.#change((state) => withoutItem(state, id, nextId))
    return () => this.#change((state) => ({ ...state, presets }))
  }

  openWith(model: string): void {
    this.#change((state) => withModel(state, model, nextId))
  }

  chooseModel(column: number, model: string): void {
    this.#change((state) => changeColumn(state, column, { model }))
  }

  compareWith(model: string): void {
    this.#change((state) => changeChat(state, state.current, (chat) => withColumn(chat, nextId(), model)))
  }

  /** Returns how to bring the column back. */
  closeColumn(column: number): () => void {
    const before = this.#current
    this.#stop(column)
    this.#change((state) => changeChat(state, before.id, (chat) => withoutColumn(chat, column)))
    return () => this.#change((state) => changeChat(state, before.id, () => stopChat(before)))
  }

  /** Sends the message to every column. */
  send(text: string, files: readonly Attachment[] = []): void {
    for (const { id, turns } of this.#current.columns) this.#request(id, [...turns, makeQuestion(text, files)])
  }

  /** The API has no way to go on with a response, so the model is asked to. What a failed one has belongs to the conversation from then on. */
  continue(column: number, turn: number): void {
    this.#changeTurn(column, turn, { state: 'stopped' })
    this.#request(column, [...this.#turnsOf(column), makeQuestion('Continue exactly where you stopped.', [])])
  }

  sendResults(column: number, results: ToolResult[]): void {
    this.#request(column, [...this.#turnsOf(column), { id: nextId(), role: 'tool', results }])
  }

  /** Asks for this response again, without what came after it. */
  retry(column: number, turn: number): RemovedTurns {
    const turns = this.#turnsOf(column)
    const index = turns.findIndex(({ id }) => id === turn)
    this.#request(column, requestedTurns(turns.slice(0, index + 1)))
    return { count: turns.length - index - 1, restore: () => this.#restore([[column, turns]]) }
  }

  /** Replaces the question in every column, without what came after it. */
  edit(column: number, turn: number, text: string): RemovedTurns {
    const turns = this.#turnsOf(column)
    const index = turns.findIndex(({ id }) => id === turn)
    const before = this.#everything()
    for (const [id, all] of before) {
      const old = all[index]
      if (old?.role === 'user') this.#request(id, [...all.slice(0, index), makeQuestion(text, old.files ?? [])])
    }
    return { count: laterTurns(turns, turn), restore: () => this.#restore(before) }
  }

  choose(column: number, turn: number, chosen: number): void {
    this.#changeTurn(column, turn, { chosen })
  }

  stop(): void {
    for (const { id } of this.#current.columns) this.#stop(id)
  }

  /** Returns how to bring the turns back. */
  clear(): () => void {
    const before = this.#everything()
    this.#restore(before.map(([column]) => [column, []]))
    return () => this.#restore(before)
  }

  stopEverything(): void {
    for (const column of this.#running.keys()) this.#stop(column)
    this.#key.forget()
  }

  flush(): void {
    this.#kept?.flush()
  }

  close(): void {
    this.#kept?.close()
  }

  get #current(): Chat {
    return currentChat(this.state.get())
  }

  #change(change: (state: Chats) => Chats): void {
    this.state.set(change(this.state.get()))
  }

  #turnsOf(column: number): readonly Turn[] {
    const columns = this.state.get().chats.flatMap((chat) => chat.columns)
    return columns.find(({ id }) => id === column)?.turns ?? []
  }

  #setTurns(column: number, turns: readonly Turn[]): void {
    this.#change((state) => changeColumn(state, column, { turns }))
  }

  #changeTurn(column: number, id: number, changes: Partial<AssistantTurn>): void {
    const change = (turn: Turn) => (turn.id === id && turn.role === 'assistant' ? { ...turn, ...changes } : turn)
    this.#setTurns(column, this.#turnsOf(column).map(change))
  }

  #everything(): Before {
    return this.#current.columns.map(({ id, turns }) => [id, turns] as const)
  }

  #restore(before: Before): void {
    for (const [column, turns] of before) {
      this.#stop(column)
      this.#setTurns(column, stopAll(turns))
    }
  }

  #request(column: number, turns: readonly Turn[]): void {
    const body = this.#bodyFor(column, turns)
    if (body) void this.#run(column, turns, body)
  }

  /** Sends the request and adds its response after the turns it was made from. */
  async #run(column: number, turns: readonly Turn[], body: Body): Promise<void> {
    notePlaygroundUse()
    this.#stop(column)
    const controller = new AbortController()
    this.#running.set(column, controller)
    const turn = startTurn(body)
    this.#setTurns(column, [...turns, turn])
    // Text can arrive faster than a page can show it.
    const updates = new ThrottledUpdates(() => this.#changeTurn(column, turn.id, { answer: copyAnswer(turn.answer) }))
    const end = await requestCompletion(body, this.#key, turn.answer, () => updates.schedule(), controller.signal).then(
      () => ({ state: 'done' }) as const,
      (error: unknown) => endOf(error, controller.signal),
    )
    updates.stop()
    this.#changeTurn(column, turn.id, { answer: copyAnswer(turn.answer), ...end })
  }

  #stop(column: number): void {
    this.#running.get(column)?.abort()
    this.#running.delete(column)
  }
}

type Before = readonly (readonly [column: number, turns: readonly Turn[]])[]

function makeQuestion(text: string, files: readonly Attachment[]): Turn {
  return { id: nextId(), role: 'user', text, ...(files.length > 0 && { files }) }
}

function startTurn(body: Body): AssistantTurn {
  const answer = startAnswer(Number(body['n'] ?? 1), performance.now(), body['response_format'] !== undefined)
  return { id: nextId(), role: 'assistant', model: body.model, answer, state: 'running', failure: null, chosen: 0 }
}

function endOf(error: unknown, signal: AbortSignal): Partial<AssistantTurn> {
  if (signal.aborted) return { state: 'stopped' }
  if (isSignedOut(error)) endSession()
  if (!(error instanceof ApiFailure)) {
    const message = "Couldn't read the response. Reload the page."
    return { state: 'failed', failure: { status: 0, code: 'unknown', message, param: null } }
  }
  const { status, code, message, param } = error
  return { state: 'failed', failure: { status, code, message, param } }
}
