// Time and timers, so that a simulator can bring its own.

export interface Clock {
  /** Milliseconds since some moment. Never goes back. */
  now(): number
  /** Calls `act` once, after everything that is already due. Call the returned function to prevent it. */
  after(ms: number, act: () => void): () => void
}

export const realClock: Clock = {
  now: () => performance.now(),
  after(ms, act) {
    if (ms <= 0) {
      const immediate = setImmediate(act)
      return () => clearImmediate(immediate)
    }
    const timer = setTimeout(act, ms)
    return () => clearTimeout(timer)
  },
}
