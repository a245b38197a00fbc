// Models load one after the other, so that each is planned with the memory that the ones before it really took.

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

async function unlessAborted(promise: Promise<unknown>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const aborted = Promise.withResolvers<never>()
  const giveUp = (): void => aborted.reject(signal.reason)
  signal.addEventListener('abort', giveUp, { once: true })
  try {
    await Promise.race([promise, aborted.promise])
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}
