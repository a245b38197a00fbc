import { useSyncExternalStore } from 'react'

/** As wide as the settings need to stand beside the conversation; the same number as in playground.css. */
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
