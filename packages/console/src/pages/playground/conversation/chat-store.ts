// The conversations of an organization. They outlive the page, so that responses continue while you look at another page or conversation.
// All of them exist in memory only, as api/person-memory.ts says.

import { ApiFailure, isSignedOut } from '../../../api/client.ts'
import { keepForPerson } from '../../../api/person-memory.ts'
import { endSession } from '../../../api/query-client.ts'
import { notePlaygroundUse } from '../../../session/playground-use.ts'
import { copyAnswer, startAnswer } from '../request/answer.ts'
import { ask } from '../request/ask.ts'
import {
  changeChat,
  changeLane,
  currentChat,
  findChat,
  withLane,
  withModel,
  withNewChat,
  withoutChat,
  withoutLane,
  type Chat,
  type Chats,
  type Lane,
} from './chats.ts'
import { stopAll, type AssistantTurn, type Turn } from './conversation.ts'
import type { Body } from '../request/body.ts'
import { SharedValue } from '../../../lib/shared-value.ts'
import { PlaygroundKey } from '../request/playground-key.ts'

const stores = new Map<string, ChatStore>()

keepForPerson({
  pause: () => {
    for (const store of stores.values()) store.stopEverything()
  },
  forget: () => stores.clear(),
})

export function chatsOf(organization: string): ChatStore {
  const store = stores.get(organization) ?? new ChatStore(new PlaygroundKey(organization))
  stores.set(organization, store)
  return store
}

/** Makes the request body for these turns with the current settings. Undefined while nothing can be sent. */
export type BodyFor = (lane: number, turns: readonly Turn[]) => Body | undefined

let lastId = 0

export function nextId(): number {
  return ++lastId
}

export class ChatStore {
  readonly #key: PlaygroundKey
  /** By lane. */
  readonly #running = new Map<number, AbortController>()
  readonly state: SharedValue<Chats>
  bodyFor: BodyFor = () => undefined

  constructor(key: PlaygroundKey) {
    this.#key = key
    const chat: Chat = { id: nextId(), name: undefined, lanes: [{ id: nextId(), model: undefined, turns: [] }] }
    this.state = new SharedValue<Chats>({ chats: [chat], current: chat.id })
  }

  get current(): Chat {
    return currentChat(this.state.get())
  }

  prepareWith(bodyFor: BodyFor): void {
    this.bodyFor = bodyFor
  }

  turnsOf(lane: number): readonly Turn[] {
    const lanes = this.state.get().chats.flatMap((chat) => chat.lanes)
    return lanes.find(({ id }) => id === lane)?.turns ?? []
  }

  start(): void {
    this.state.set(withNewChat(this.state.get(), nextId))
  }

  select(chat: number): void {
    this.state.set({ ...this.state.get(), current: chat })
  }

  rename(chat: number, name: string): void {
    this.state.set(changeChat(this.state.get(), chat, (one) => ({ ...one, name })))
  }

  /** Returns how to bring it back. */
  remove(chat: number): () => void {
    const before = this.state.get()
    const removed = findChat(before, chat)
    for (const { id } of removed.lanes) this.stop(id)
    this.state.set(withoutChat(before, chat, nextId))
    return () => {
      this.state.set({ chats: [stopChat(removed), ...this.state.get().chats], current: chat })
    }
  }

  openWith(model: string): void {
    this.state.set(withModel(this.state.get(), model, nextId))
  }

  chooseModel(lane: number, model: string): void {
    this.state.set(changeLane(this.state.get(), lane, { model }))
  }

  compareWith(model: string): void {
    this.state.set(changeChat(this.state.get(), this.state.get().current, (chat) => withLane(chat, nextId(), model)))
  }

  /** Returns how to bring the lane back. */
  closeLane(lane: number): () => void {
    const { current } = this
    this.stop(lane)
    this.state.set(changeChat(this.state.get(), current.id, (chat) => withoutLane(chat, lane)))
    return () => this.state.set(changeChat(this.state.get(), current.id, () => stopChat(current)))
  }

  setTurns(lane: number, turns: readonly Turn[]): void {
    this.state.set(changeLane(this.state.get(), lane, { turns }))
  }

  changeTurn(lane: number, id: number, changes: Partial<AssistantTurn>): void {
    const change = (turn: Turn) => (turn.id === id && turn.role === 'assistant' ? { ...turn, ...changes } : turn)
    this.setTurns(lane, this.turnsOf(lane).map(change))
  }

  /** Sends the request and adds its response after the turns it was made from. */
  async run(lane: number, asked: readonly Turn[], body: Body): Promise<void> {
    notePlaygroundUse()
    this.stop(lane)
    const controller = new AbortController()
    this.#running.set(lane, controller)
    const turn = startTurn(body)
    this.setTurns(lane, [...asked, turn])
    const grow = oncePerFrame(() => this.changeTurn(lane, turn.id, { answer: copyAnswer(turn.answer) }))
    const end = await ask(body, this.#key, turn.answer, () => grow.ask(), controller.signal).then(
      () => ({ state: 'done' }) as const,
      (error: unknown) => endOf(error, controller.signal),
    )
    grow.cancel()
    this.changeTurn(lane, turn.id, { answer: copyAnswer(turn.answer), ...end })
  }

  stop(lane: number): void {
    this.#running.get(lane)?.abort()
    this.#running.delete(lane)
  }

  stopEverything(): void {
    for (const lane of this.#running.keys()) this.stop(lane)
    this.#key.forget()
  }
}

/** A chat that comes back after its requests were stopped. */
function stopChat(chat: Chat): Chat {
  const stop = (lane: Lane): Lane => ({ ...lane, turns: stopAll(lane.turns) })
  const [first, ...others] = chat.lanes
  return { ...chat, lanes: [stop(first), ...others.map(stop)] }
}

function startTurn(body: Body): AssistantTurn {
  const answer = startAnswer(Number(body['n'] ?? 1), performance.now(), body['response_format'] !== undefined)
  return { id: nextId(), role: 'assistant', model: body.model, answer, state: 'running', failure: null, chosen: 0 }
}

function endOf(error: unknown, signal: AbortSignal): Partial<AssistantTurn> {
  if (signal.aborted) return { state: 'stopped' }
  if (isSignedOut(error)) endSession()
  if (error instanceof ApiFailure) return { state: 'failed', failure: error }
  const message = "Couldn't read the response. Reload the page."
  const failure = new ApiFailure(0, { code: 'unknown', message, param: null })
  failure.cause = error
  return { state: 'failed', failure }
}

/** Runs the action at most once per browser frame, because text can arrive faster than that. */
function oncePerFrame(act: () => void) {
  let frame: number | undefined
  return {
    ask(): void {
      frame ??= requestAnimationFrame(() => {
        frame = undefined
        act()
      })
    },
    cancel(): void {
      if (frame !== undefined) cancelAnimationFrame(frame)
      frame = undefined
    },
  }
}
