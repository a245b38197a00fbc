// Where to go on after signing in with a provider: its page lies in between, and it sends everybody back to the same address.

const KEY = 'hearth-way-back'

export function keepWayBack(): void {
  const { pathname, search, hash } = window.location
  sessionStorage.setItem(KEY, pathname + search + hash)
}

/** Once. */
export function takeWayBack(): string | null {
  const path = sessionStorage.getItem(KEY)
  sessionStorage.removeItem(KEY)
  return path
}
