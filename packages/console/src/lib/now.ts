// One clock for every relative time on the page.

import { useSyncExternalStore } from 'react'

const TICK_MS = 20_000

let ticks = 0
const watchers = new Set<() => void>()

setInterval(() => {
  ticks++
  for (const watcher of watchers) watcher()
}, TICK_MS)

/** Milliseconds since 1970. Components that use it render again at least every 20 seconds. */
export function useNow(): number {
  useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => ticks,
  )
  return Date.now()
}
