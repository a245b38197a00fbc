// Clients that ask again and again, each at a gateway of its choice.

import { setTimeout as sleep } from 'node:timers/promises'
import type { SentRequest } from './sent-request.ts'

/** After an error, a client takes a breath. */
const BREATH_MS = 100

export class Load {
  readonly #ask: () => SentRequest
  readonly #clients: number
  readonly #open = new Set<SentRequest>()
  #isOn = false
  #running: Promise<unknown> = Promise.resolve()

  constructor(clients: number, ask: () => SentRequest) {
    this.#clients = clients
    this.#ask = ask
  }

  /** Requests without an end so far. */
  get open(): readonly SentRequest[] {
    return [...this.#open]
  }

  /** Resolves once every client has got a token. */
  async start(): Promise<void> {
    this.#isOn = true
    const firsts = Array.from({ length: this.#clients }, () => Promise.withResolvers<unknown>())
    this.#running = Promise.all(firsts.map((first) => this.#visit(first.resolve)))
    await Promise.all(firsts.map(({ promise }) => promise))
  }

  /** Resolves once every request has ended. */
  async stop(): Promise<void> {
    this.#isOn = false
    await this.#running
  }

  async #visit(onFirst: (value: unknown) => void): Promise<void> {
    while (this.#isOn) {
      const asked = this.#ask()
      this.#open.add(asked)
      onFirst(asked.first)
      const { kind } = await asked.ended
      this.#open.delete(asked)
      if (kind !== 'done') await sleep(BREATH_MS)
    }
  }
}
