// A clock that stands still until a test moves it.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../clock.ts'

export interface ManualClock extends Clock {
  /** Moves time forward and runs due timers in order, letting the work they trigger settle before it continues. */
  advance(ms: number): Promise<void>
}

interface Alarm {
  at: number
  ring: () => void
}

export function createManualClock(start = new Date('2026-11-15T12:00:00Z')): ManualClock {
  let elapsed = 0
  let alarms: Alarm[] = []

  const add = (ms: number, ring: () => void): Alarm => {
    const alarm = { at: elapsed + ms, ring }
    alarms.push(alarm)
    return alarm
  }
  const remove = (alarm: Alarm): void => {
    alarms = alarms.filter((other) => other !== alarm)
  }

  return {
    now: () => elapsed,
    date: () => new Date(start.getTime() + elapsed),
    wait(ms, signal) {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      if (signal.aborted) return Promise.reject(signal.reason as Error)
      const alarm = add(ms, resolve)
      signal.addEventListener('abort', () => {
        remove(alarm)
        reject(signal.reason as Error)
      })
      return promise
    },
    after(ms, action) {
      const alarm = add(ms, action)
      return () => remove(alarm)
    },
    every(ms, action) {
      let alarm = add(ms, ring)
      function ring(): void {
        alarm = add(ms, ring)
        action()
      }
      return () => remove(alarm)
    },
    async advance(ms) {
      const until = elapsed + ms
      await settle()
      for (;;) {
        const next = alarms.filter((alarm) => alarm.at <= until).toSorted((a, b) => a.at - b.at)[0]
        if (next === undefined) break
        elapsed = next.at
        remove(next)
        next.ring()
        await settle()
      }
      elapsed = until
      await settle()
    },
  }
}

/** Lets pending promises and same-turn sends settle. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await nextTurn()
}
