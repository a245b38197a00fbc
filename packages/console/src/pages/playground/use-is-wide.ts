import { useSyncExternalStore } from 'react'

/** Wide enough to show the settings beside the conversation. Must match playground.css. */
const wide = window.matchMedia('(min-width: 70rem)')

export function useIsWide(): boolean {
  return useSyncExternalStore(
    (watcher) => {
      wide.addEventListener('change', watcher)
      return () => wide.removeEventListener('change', watcher)
    },
    () => wide.matches,
  )
}
