// Everything that people do in a conversation. Actions read the state when they run, so they never get old.

import { nextId, type ChatStore } from './chat-store.ts'
import type { Lane } from './chats.ts'
import { askedTurns, laterTurns, stopAll, type Attachment, type ToolResult, type Turn } from './conversation.ts'

/** Turns that an action removed, besides the response it replaces. */
export interface Dropped {
  count: number
  restore: () => void
}

export class ChatActions {
  readonly #store: ChatStore

  constructor(store: ChatStore) {
    this.#store = store
  }

  /** Sends the message to every lane. */
  send(text: string, files: readonly Attachment[] = []): void {
    for (const { id, turns } of this.#store.current.lanes) this.#run(id, [...turns, makeQuestion(text, files)])
  }

  /** The API has no way to go on with a response, so the model is asked to. */
  continue(lane: number): void {
    this.#run(lane, [...this.#store.turnsOf(lane), makeQuestion('Continue exactly where you stopped.', [])])
  }

  sendResults(lane: number, results: ToolResult[]): void {
    this.#run(lane, [...this.#store.turnsOf(lane), { id: nextId(), role: 'tool', results }])
  }

  /** Asks for this response again, without what came after it. */
  retry(lane: number, turn: number): Dropped {
    const turns = this.#store.turnsOf(lane)
    const index = turns.findIndex(({ id }) => id === turn)
    this.#run(lane, askedTurns(turns.slice(0, index + 1)))
    return { count: turns.length - index - 1, restore: () => this.#restore([[lane, turns]]) }
  }

  /** Replaces the question in every lane, without what came after it. */
  edit(lane: number, turn: number, text: string): Dropped {
    const turns = this.#store.turnsOf(lane)
    const index = turns.findIndex(({ id }) => id === turn)
    const before = this.#everything()
    for (const [id, all] of before) {
      const old = all[index]
      if (old?.role === 'user') this.#run(id, [...all.slice(0, index), makeQuestion(text, old.files ?? [])])
    }
    return { count: laterTurns(turns, turn), restore: () => this.#restore(before) }
  }

  choose(lane: number, turn: number, chosen: number): void {
    this.#store.changeTurn(lane, turn, { chosen })
  }

  stop(): void {
    for (const { id } of this.#store.current.lanes) this.#store.stop(id)
  }

  /** Returns how to bring the turns back. */
  clear(): () => void {
    const before = this.#everything()
    for (const [lane] of before) {
      this.#store.stop(lane)
      this.#store.setTurns(lane, [])
    }
    return () => this.#restore(before)
  }

  #everything(): Before {
    return this.#store.current.lanes.map(({ id, turns }) => [id, turns] as const)
  }

  #restore(before: Before): void {
    for (const [lane, turns] of before) {
      this.#store.stop(lane)
      this.#store.setTurns(lane, stopAll(turns))
    }
  }

  #run(lane: number, asked: readonly Turn[]): void {
    const body = this.#store.bodyFor(lane, asked)
    if (body) void this.#store.run(lane, asked, body)
  }
}

type Before = readonly (readonly [lane: Lane['id'], turns: readonly Turn[]])[]

function makeQuestion(text: string, files: readonly Attachment[]): Turn {
  return { id: nextId(), role: 'user', text, ...(files.length > 0 && { files }) }
}
