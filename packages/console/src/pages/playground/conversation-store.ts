// The conversation of an organization. It outlives the page, so that a response goes on while you look at another page. It exists in memory
// only: signing out or reloading clears it.

import { ApiFailure, isSignedOut } from '../../api/client.ts'
import { forgetPerson, whenForgotten } from '../../api/queries.ts'
import { copyAnswer, startAnswer } from './answer.ts'
import { ask } from './ask.ts'
import type { AssistantTurn, Turn } from './conversation.ts'
import type { Body } from './make-body.ts'
import { oncePerFrame } from './once-per-frame.ts'
import { PlaygroundKey } from './playground-key.ts'

const stores = new Map<string, ConversationStore>()

whenForgotten(() => {
  for (const store of stores.values()) store.stop()
  stores.clear()
})

export function conversationOf(organization: string): ConversationStore {
  const store = stores.get(organization) ?? new ConversationStore(new PlaygroundKey(organization))
  stores.set(organization, store)
  return store
}

export class ConversationStore {
  readonly #key: PlaygroundKey
  readonly #watchers = new Set<() => void>()
  #turns: readonly Turn[] = []
  #running: AbortController | undefined

  constructor(key: PlaygroundKey) {
    this.#key = key
  }

  readonly snapshot = (): readonly Turn[] => this.#turns

  readonly watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  set(turns: readonly Turn[]): void {
    this.#turns = turns
    for (const watcher of this.#watchers) watcher()
  }

  change(id: number, changes: Partial<AssistantTurn>): void {
    this.set(this.#turns.map((turn) => (turn.id === id && turn.role === 'assistant' ? { ...turn, ...changes } : turn)))
  }

  /** Sends the request and adds its response after the turns it was made from. */
  async run(asked: readonly Turn[], body: Body): Promise<void> {
    this.stop()
    const controller = new AbortController()
    this.#running = controller
    const turn = startTurn(body)
    this.set([...asked, turn])
    const grow = oncePerFrame(() => this.change(turn.id, { answer: copyAnswer(turn.answer) }))
    const end = await ask(body, this.#key, turn.answer, () => grow.ask(), controller.signal).then(
      () => ({ state: 'done' }) as const,
      (error: unknown) => endOf(error, controller.signal),
    )
    grow.cancel()
    this.change(turn.id, { answer: copyAnswer(turn.answer), ...end })
  }

  stop(): void {
    this.#running?.abort()
  }
}

let lastId = 0

export function nextTurnId(): number {
  return ++lastId
}

function startTurn(body: Body): AssistantTurn {
  const answer = startAnswer(Number(body['n'] ?? 1), performance.now(), body['response_format'] !== undefined)
  return { id: nextTurnId(), role: 'assistant', answer, state: 'running', failure: null, chosen: 0 }
}

function endOf(error: unknown, signal: AbortSignal): Partial<AssistantTurn> {
  if (signal.aborted) return { state: 'stopped' }
  if (isSignedOut(error)) forgetPerson()
  const message = "Couldn't read the response. Reload the page."
  const failure = error instanceof ApiFailure ? error : new ApiFailure(0, { code: 'unknown', message, param: null })
  return { state: 'failed', failure }
}
