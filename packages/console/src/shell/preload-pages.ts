// Loads the code of all pages while the browser has nothing else to do. They then open at once, also while the gateway restarts.

import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { PLACES } from '../session/places.ts'

/** The first page gets its data first. */
const AFTER_MS = 3_000

export function usePreloadedPages(): void {
  const router = useRouter()
  useEffect(() => {
    if (savesData()) return undefined
    const timer = setTimeout(() => {
      for (const path of ['/account', ...PLACES.map(({ path }) => path)]) void router.preloadRoute({ to: path })
    }, AFTER_MS)
    return () => clearTimeout(timer)
  }, [router])
}

// Not in all browsers, so not in the standard types.
function savesData(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } }
  return connection?.saveData === true
}
