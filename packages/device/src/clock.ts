// The device app's clock. It is passed in wherever something waits, so that tests can move time by hand.

import { setTimeout as sleep } from 'node:timers/promises'

export interface Clock {
  /** Milliseconds on a clock that only moves forward. */
  now: () => number
  /** The wall clock, which may jump. For schedules and for files that people read. */
  date: () => Date
  /** Rejects when the signal is aborted. */
  wait: (ms: number, signal: AbortSignal) => Promise<void>
  /** Returns a function that cancels it. */
  after: (ms: number, action: () => void) => () => void
  /** Returns a function that stops it. */
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

/** Waits until the time is over or the signal is aborted, whichever comes first. */
export async function waitOrAbort(clock: Pick<Clock, 'wait'>, ms: number, signal: AbortSignal): Promise<void> {
  // An aborted signal is the only reason for a wait to reject.
  await clock.wait(ms, signal).catch(() => {})
}

/** The value, or the signal's reason if that comes first. The work itself goes on. */
export async function unlessAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  signal.throwIfAborted()
  const aborted = Promise.withResolvers<never>()
  const giveUp = (): void => aborted.reject(signal.reason)
  signal.addEventListener('abort', giveUp, { once: true })
  try {
    return await Promise.race([work, aborted.promise])
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}
