// Remembers the page to return to after signing in with a provider, which always redirects to the same URL.

const KEY = 'hearth-return-path'

export function saveReturnPath(): void {
  const { pathname, search, hash } = window.location
  sessionStorage.setItem(KEY, pathname + search + hash)
}

/** Returns the path and forgets it. */
export function takeReturnPath(): string | null {
  const path = sessionStorage.getItem(KEY)
  sessionStorage.removeItem(KEY)
  return path
}
