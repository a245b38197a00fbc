// Light, dark or the system setting. public/theme.js applies the choice before the first paint; this file changes it.

import { SharedValue } from './shared-value.ts'

export type Theme = 'light' | 'dark' | 'system'

const KEY = 'hearth-theme'
const chosen = new SharedValue(readTheme())

export function useTheme(): Theme {
  return chosen.use()
}

export function setTheme(theme: Theme): void {
  const { dataset } = document.documentElement
  if (theme === 'system') delete dataset['theme']
  else dataset['theme'] = theme
  try {
    if (theme === 'system') localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, theme)
  } catch {
    // Storage may be blocked. The choice then lasts until the page is closed.
  }
  chosen.set(theme)
}

function readTheme(): Theme {
  const { theme } = document.documentElement.dataset
  return theme === 'light' || theme === 'dark' ? theme : 'system'
}
