import { useEffect } from 'react'

/** Sets the title of the browser tab. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = `${title} · Hearth`
  }, [title])
}
