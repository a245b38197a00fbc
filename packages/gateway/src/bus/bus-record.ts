// Counts the messages and the breaks of a connection to a bus, and knows who listens to it. The same for every kind of bus.

import type { BusStats } from './bus.ts'

export class BusRecord {
  readonly #stats: BusStats = { messagesIn: 0, messagesOut: 0, bytesIn: 0, bytesOut: 0, breaks: 0 }
  readonly #listeners = new Set<(isConnected: boolean) => void>()

  sent({ length }: Uint8Array): void {
    this.#stats.messagesOut += 1
    this.#stats.bytesOut += length
  }

  received({ length }: Uint8Array): void {
    this.#stats.messagesIn += 1
    this.#stats.bytesIn += length
  }

  /** The connection broke, or it is back. */
  changed(isConnected: boolean): void {
    if (!isConnected) this.#stats.breaks += 1
    for (const listener of this.#listeners) listener(isConnected)
  }

  onState(listener: (isConnected: boolean) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  stats(): BusStats {
    return { ...this.#stats }
  }

  /** From now on, nobody hears of changes. */
  close(): void {
    this.#listeners.clear()
  }
}
