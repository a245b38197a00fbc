// Keeps the copies between devices to a steady rate: a piece may start when the ones before it have had their time. Organizations take
// turns, so that one with many copies makes the others wait for one piece of its own at most.

import { setTimeout as sleep } from 'node:timers/promises'
import { Turns } from '../../../turns.ts'

interface Waiting {
  bytes: number
  signal: AbortSignal
  start: () => void
}

export class RelayPace {
  readonly #bytesPerSecond: number
  readonly #now: () => number
  readonly #wait: (ms: number) => Promise<unknown>
  readonly #waiting = new Turns<Waiting>()
  #freeAt = Number.NEGATIVE_INFINITY
  #isRunning = false

  constructor(
    bytesPerSecond: number,
    now = () => performance.now(),
    wait = (ms: number): Promise<unknown> => sleep(ms),
  ) {
    this.#bytesPerSecond = bytesPerSecond
    this.#now = now
    this.#wait = wait
  }

  /** Resolves when the piece may start, or when its signal is aborted. */
  async take(organization: string, bytes: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.add(organization, { bytes, signal, start: resolve })
    signal.addEventListener('abort', () => resolve(), { once: true })
    if (!this.#isRunning) void this.#run()
    return promise
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    while (this.#waiting.size > 0) {
      const waitMs = this.#freeAt - this.#now()
      if (waitMs > 0) await this.#wait(waitMs)
      const next = this.#waiting.next()
      // One that has left takes no time from the others.
      if (next === undefined || next.signal.aborted) continue
      this.#freeAt = Math.max(this.#freeAt, this.#now()) + (next.bytes / this.#bytesPerSecond) * 1_000
      next.start()
    }
    this.#isRunning = false
  }
}
