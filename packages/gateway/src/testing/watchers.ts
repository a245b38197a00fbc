// Waits for a condition, which is checked whenever something happens: tests wait for events, not for time to pass.

interface Watcher {
  condition: () => boolean
  met: () => void
}

export class Watchers {
  readonly #waiting = new Set<Watcher>()

  /** Call this after anything that a condition may depend on. */
  look(): void {
    for (const watcher of this.#waiting)
      if (watcher.condition()) {
        this.#waiting.delete(watcher)
        watcher.met()
      }
  }

  /** Rejects after the deadline, with a description of what did not happen. */
  async until(what: string, condition: () => boolean, deadlineMs: number): Promise<void> {
    if (condition()) return
    const waited = Promise.withResolvers<void>()
    const watcher = { condition, met: waited.resolve }
    this.#waiting.add(watcher)
    const timer = setTimeout(
      () => waited.reject(new Error(`Waited ${deadlineMs} ms, but this did not happen: ${what}`)),
      deadlineMs,
    )
    await waited.promise.finally(() => {
      clearTimeout(timer)
      this.#waiting.delete(watcher)
    })
  }
}
