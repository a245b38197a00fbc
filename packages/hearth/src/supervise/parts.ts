// All parts, in the order in which they started.

import { StoppedError, type Part } from './part.ts'

export class Parts {
  readonly #parts: Part[] = []
  #isStopping = false

  get isEmpty(): boolean {
    return this.#parts.length === 0
  }

  /** Resolves when the part runs; rejects if it doesn't come up. */
  async start(part: Part): Promise<void> {
    if (this.#isStopping) throw new StoppedError('Hearth is stopping')
    this.#parts.push(part)
    await part.start()
  }

  /** Those that have code of ours, in their order. The database and NATS keep running. */
  async replace(): Promise<void> {
    for (const part of this.#parts) await part.replace()
  }

  /** The last one first: the device finishes its jobs through the gateway, and the gateway writes to the database. */
  async stop(): Promise<void> {
    this.#isStopping = true
    for (const part of this.#parts.toReversed()) await part.stop()
  }

  /** Parts run in process groups of their own, so they outlive this process unless it kills them. */
  kill(): void {
    for (const part of this.#parts) part.kill()
  }
}
