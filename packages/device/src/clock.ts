// Time as the device app sees it, passed in wherever something waits, so that tests move it by hand.

import { setTimeout as sleep } from 'node:timers/promises'

export interface Clock {
  /** Milliseconds of a clock that only moves forward. */
  now: () => number
  /** The clock on the wall: it may jump. For schedules and for files that people read. */
  date: () => Date
  /** Rejects when the signal is aborted. */
  wait: (ms: number, signal: AbortSignal) => Promise<void>
  /** Returns what takes it back. */
  after: (ms: number, action: () => void) => () => void
  /** Returns what ends the repetition. */
  every: (ms: number, action: () => void) => () => void
}

export const systemClock: Clock = {
  now: () => performance.now(),
  date: () => new Date(),
  wait: (ms, signal) => sleep(ms, undefined, { signal }),
  after(ms, action) {
    const timer = setTimeout(action, ms)
    return () => clearTimeout(timer)
  },
  every(ms, action) {
    const timer = setInterval(action, ms)
    return () => clearInterval(timer)
  },
}
