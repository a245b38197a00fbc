// Shortcuts that work everywhere except in text fields: `?` for help, `/` for the filter, `g` and a letter for a page. ⌘K or Ctrl-K works in
// text fields, too.

import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { SIDEBAR_PAGES } from '../session/sidebar-pages.ts'

/** How long the second key may take. */
const SECOND_KEY_MS = 1_500

export function useShortcuts({ onHelp, onSearch }: { onHelp: () => void; onSearch: () => void }): void {
  const navigate = useNavigate()
  const showHelp = useEffectEvent(onHelp)
  const search = useEffectEvent(onSearch)
  useEffect(() => {
    let jumpUntil = 0
    function press(event: KeyboardEvent): void {
      if (isSearch(event)) {
        // Browsers use it for their address bar.
        event.preventDefault()
        if (!isDialogOpen()) search()
        return
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || isDialogOpen()) return
      const page = event.timeStamp < jumpUntil && SIDEBAR_PAGES.find(({ key }) => key === event.key)
      jumpUntil = event.key === 'g' ? event.timeStamp + SECOND_KEY_MS : 0
      if (page) void navigate({ to: page.path })
      else if (event.key === '?') showHelp()
      else if (event.key === '/') focusFilter(event)
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [navigate])
}

function isSearch({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !altKey && !shiftKey
}

function focusFilter(event: KeyboardEvent): void {
  const filter = document.querySelector<HTMLInputElement>('input[data-filter]')
  if (!filter) return
  event.preventDefault()
  filter.focus()
  filter.select()
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
}

function isDialogOpen(): boolean {
  return document.querySelector('dialog[open], [role="menu"]') !== null
}
