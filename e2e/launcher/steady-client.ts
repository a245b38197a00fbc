// Asks without a break, each time over a new connection, and remembers which requests were not answered and why.

import { expect } from 'vitest'
import type { Client } from '../harness/client/client.ts'

interface Broken {
  from: number
  to: number
  why: string
}

const ASKING_AT_ONCE = 3
/** A connection that ended without a reply, as opposed to one that nobody accepted. */
const LOST_CONNECTION = /ECONNRESET|EPIPE|UND_ERR_SOCKET/

export class SteadyClient implements AsyncDisposable {
  readonly #client: Client
  readonly #kills: { from: number; to: number }[] = []
  readonly #broken: Broken[] = []
  readonly #asking: Promise<void>[]
  #answered = 0
  #isDone = false

  constructor(client: Client) {
    this.#client = client
    this.#asking = Array.from({ length: ASKING_AT_ONCE }, () => this.#keepAsking())
  }

  /** `kill` resolves when nothing of the processes is left. */
  async during(kill: () => Promise<void>): Promise<void> {
    const from = performance.now()
    await kill()
    this.#kills.push({ from, to: performance.now() })
    await this.isAnswered()
  }

  /** Resolves when requests that were sent from now on have been answered. */
  async isAnswered(): Promise<void> {
    const enough = this.#answered + 2 * ASKING_AT_ONCE
    await expect.poll(() => this.#answered).toBeGreaterThan(enough)
  }

  /** Why requests had no answer, other than that a kill took their connection. */
  async unexplained(): Promise<string[]> {
    await this[Symbol.asyncDispose]()
    const unexplained = this.#broken.filter((broken) => !this.#isExplained(broken))
    return [...new Set(unexplained.map(({ why }) => why))]
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDone = true
    await Promise.all(this.#asking)
  }

  #isExplained({ from, to, why }: Broken): boolean {
    return LOST_CONNECTION.test(why) && this.#kills.some((kill) => kill.from <= to && from <= kill.to)
  }

  async #keepAsking(): Promise<void> {
    while (!this.#isDone) {
      const from = performance.now()
      const why = await this.#ask()
      if (why === undefined) this.#answered += 1
      else this.#broken.push({ from, to: performance.now(), why })
    }
  }

  async #ask(): Promise<string | undefined> {
    const body = { model: 'tiny', messages: [{ role: 'user', content: 'Hi' }], max_tokens: 4 }
    try {
      const { status, text } = await this.#client.post(body, { headers: { connection: 'close' } })
      return status === 200 ? undefined : `${status} ${text}`
    } catch (error) {
      const { message, cause } = error as Error
      return `${message}: ${(cause as NodeJS.ErrnoException | undefined)?.code}`
    }
  }
}
