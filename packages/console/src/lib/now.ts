// One clock for every relative time on the page.

import { SharedValue } from './shared-value.ts'

const TICK_MS = 20_000

const ticks = new SharedValue(0)

setInterval(() => ticks.set(ticks.get() + 1), TICK_MS)

/** Milliseconds since 1970. Components that use it render again at least every 20 seconds. */
export function useNow(): number {
  ticks.use()
  return Date.now()
}
