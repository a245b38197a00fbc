// Models load one after the other, so that each is planned with the memory that the ones before it really took.

import { unlessAborted } from '../clock.ts'

export class LoadQueue {
  #last: Promise<unknown> = Promise.resolve()

  /** Waits for its turn, then loads. Rejects if `signal` is aborted before that; the others don't wait for it then. */
  async run<Value>(load: () => Promise<Value>, signal: AbortSignal): Promise<Value> {
    const before = this.#last
    const done = Promise.withResolvers<void>()
    this.#last = before.then(() => done.promise)
    try {
      await unlessAborted(before, signal)
      return await load()
    } finally {
      done.resolve()
    }
  }
}
