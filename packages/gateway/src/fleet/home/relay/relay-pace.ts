// Keeps the copies between devices to a steady rate: a piece may start when the ones before it have had their time.

import { setTimeout as sleep } from 'node:timers/promises'

export class RelayPace {
  readonly #bytesPerSecond: number
  readonly #now: () => number
  readonly #wait: (ms: number) => Promise<unknown>
  #freeAt = Number.NEGATIVE_INFINITY

  constructor(
    bytesPerSecond: number,
    now = () => performance.now(),
    wait = (ms: number): Promise<unknown> => sleep(ms),
  ) {
    this.#bytesPerSecond = bytesPerSecond
    this.#now = now
    this.#wait = wait
  }

  async take(bytes: number): Promise<void> {
    const now = this.#now()
    const startAt = Math.max(now, this.#freeAt)
    this.#freeAt = startAt + (bytes / this.#bytesPerSecond) * 1_000
    if (startAt > now) await this.#wait(startAt - now)
  }
}
