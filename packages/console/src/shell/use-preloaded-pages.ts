import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { SIDEBAR_PAGES } from '../session/sidebar-pages.ts'

/** The first page gets its data first. */
const PRELOAD_AFTER_MS = 3_000

/**
 * Loads the code of all pages while the browser has nothing else to do. They then open at once, also
 * while the gateway restarts.
 */
export function usePreloadedPages(): void {
  const router = useRouter()
  useEffect(() => {
    if (savesData()) return undefined
    const timer = setTimeout(() => {
      for (const path of ['/account', ...SIDEBAR_PAGES.map(({ path }) => path)]) void router.preloadRoute({ to: path })
    }, PRELOAD_AFTER_MS)
    return () => clearTimeout(timer)
  }, [router])
}

/** Not in all browsers, so not in the standard types. */
function savesData(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } }
  return connection?.saveData === true
}
