// Whether someone has chatted in the playground of this browser, so that the start page stops suggesting it.

const KEY = 'hearth-playground-used'

export function notePlaygroundUse(): void {
  try {
    localStorage.setItem(KEY, 'yes')
  } catch {
    // Storage may be blocked. Then the suggestion stays.
  }
}

export function hasUsedPlayground(): boolean {
  try {
    return localStorage.getItem(KEY) !== null
  } catch {
    return false
  }
}
