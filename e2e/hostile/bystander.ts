// A key of an organization that has nothing to do with the attack: it lists its models, over new connections too, and has its own device complete a chat, all the while.

import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import type { Answer, Client } from '../harness/client/client.ts'
import { HI, OTHERS } from '../harness/start-system.ts'
import type { SiblingCopy } from './sibling-copy.ts'

const PAUSE_MS = 10

export interface Testimony {
  /** Milliseconds that each call took. */
  waitsMs: number[]
  /** Everything that was not a 200. */
  faults: string[]
}

export class Bystander {
  readonly #client: Client
  readonly #copy: SiblingCopy | undefined
  readonly #waitsMs: number[] = []
  readonly #faults: string[] = []
  #isLeaving = false
  readonly #polling: Promise<void>

  /** With `copy`, its devices copy a model all the while, too. */
  constructor(client: Client, copy?: SiblingCopy) {
    this.#client = client
    this.#copy = copy
    this.#polling = this.#poll()
  }

  /** Resolves after this many more calls. */
  async calls(count: number): Promise<void> {
    const until = this.#waitsMs.length + count
    while (this.#waitsMs.length < until) await setTimeout(PAUSE_MS)
  }

  /** Everything so far that was not a 200. */
  get faults(): readonly string[] {
    return this.#faults
  }

  async leave(): Promise<Testimony> {
    this.#isLeaving = true
    await this.#polling
    return { waitsMs: this.#waitsMs, faults: this.#faults }
  }

  async #poll(): Promise<void> {
    while (!this.#isLeaving) {
      await this.#note('models', () => this.#client.call('/models'))
      await this.#note('new connection', () => callAnew(`${this.#client.base}/models`, this.#client.key))
      await this.#note('completion', () => this.#client.post({ model: OTHERS, messages: HI }))
      await this.#note('copy', async () => this.#copy?.next())
      await setTimeout(PAUSE_MS)
    }
  }

  async #note(what: string, call: () => Promise<Pick<Answer, 'status' | 'text'> | undefined>): Promise<void> {
    const sentAt = performance.now()
    try {
      const answer = await call()
      if (answer === undefined) return
      const { status, text } = answer
      if (status !== 200) this.#faults.push(`${what}: ${status} ${text}`)
    } catch (error) {
      this.#faults.push(`${what}: ${describe(error)}`)
    }
    this.#waitsMs.push(performance.now() - sentAt)
  }
}

/** Not over the connections that are open already. */
async function callAnew(url: string, key: string): Promise<{ status: number; text: string }> {
  const request = get(url, { agent: false, headers: { authorization: `Bearer ${key}` } })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  return { status: response.statusCode!, text: await text(response) }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message
}
