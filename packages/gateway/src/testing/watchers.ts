// Waiting for something to become true, looked at whenever something happened: tests wait for events, not for time.

interface Watcher {
  condition: () => boolean
  met: () => void
}

export class Watchers {
  readonly #waiting = new Set<Watcher>()

  /** Call after anything a condition may depend on. */
  look(): void {
    for (const watcher of this.#waiting)
      if (watcher.condition()) {
        this.#waiting.delete(watcher)
        watcher.met()
      }
  }

  /** Rejects after the deadline, naming what did not happen. */
  async until(what: string, condition: () => boolean, deadlineMs: number): Promise<void> {
    if (condition()) return
    const waited = Promise.withResolvers<void>()
    const watcher = { condition, met: waited.resolve }
    this.#waiting.add(watcher)
    const timer = setTimeout(
      () => waited.reject(new Error(`Waited ${deadlineMs} ms in vain until ${what}`)),
      deadlineMs,
    )
    await waited.promise.finally(() => {
      clearTimeout(timer)
      this.#waiting.delete(watcher)
    })
  }
}
