// Keeps the copies between devices to a steady rate: a piece may start when the ones before it have had their time. Organizations take
// turns, so that one with many copies makes the others wait for one piece of its own at most.

import { setTimeout as sleep } from 'node:timers/promises'
import { Turns } from '../../../turns.ts'

interface Waiting {
  bytes: number
  signal: AbortSignal
  start: () => void
}

/** The returned function resolves when the piece may start, or when its signal is aborted. */
export function createPace(
  bytesPerSecond: number,
  now = () => performance.now(),
  wait = (ms: number): Promise<unknown> => sleep(ms),
) {
  const waiting = new Turns<Waiting>()
  let freeAt = Number.NEGATIVE_INFINITY
  let isRunning = false
  const run = async (): Promise<void> => {
    isRunning = true
    while (waiting.size > 0) {
      const waitMs = freeAt - now()
      if (waitMs > 0) await wait(waitMs)
      const next = waiting.next()
      // One that has left takes no time from the others.
      if (next === undefined || next.signal.aborted) continue
      freeAt = Math.max(freeAt, now()) + (next.bytes / bytesPerSecond) * 1_000
      next.start()
    }
    isRunning = false
  }
  return async (organization: string, bytes: number, signal: AbortSignal): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    waiting.add(organization, { bytes, signal, start: resolve })
    signal.addEventListener('abort', () => resolve(), { once: true })
    if (!isRunning) void run()
    return promise
  }
}
