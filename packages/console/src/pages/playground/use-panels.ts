import { useMemo, useCallback, useSyncExternalStore } from 'react'

function useMedia(query: string): boolean {
  const media = useMemo(() => window.matchMedia(query), [query])
  const watch = useCallback(
    (watcher: () => void) => {
      media.addEventListener('change', watcher)
      return () => media.removeEventListener('change', watcher)
    },
    [media],
  )
  return useSyncExternalStore(watch, () => media.matches)
}

/** Which panels have room beside the conversation. Two columns need more. A phone has room for nothing else; see playground.css. */
export function usePanels(columns: number): { isPhone: boolean; hasList: boolean; hasSettings: boolean } {
  const isPhone = useMedia('(max-width: 48rem)')
  const isWide = useMedia('(min-width: 70rem)')
  const isWider = useMedia('(min-width: 94rem)')
  const isWidest = useMedia('(min-width: 118rem)')
  return columns === 1
    ? { isPhone, hasList: isWider, hasSettings: isWide }
    : { isPhone, hasList: isWidest, hasSettings: isWider }
}
