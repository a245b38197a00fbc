// One clock for every relative time on the page.

import { useSyncExternalStore } from 'react'

const TICK_MS = 20_000

let now = Date.now()
const watchers = new Set<() => void>()

setInterval(() => {
  now = Date.now()
  for (const watcher of watchers) watcher()
}, TICK_MS)

/** Milliseconds since 1970, renewed every 20 s. */
export function useNow(): number {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => now,
  )
}
