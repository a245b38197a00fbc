// Filters and open dialogs live in the URL, so you can bookmark them, share them and go back with the back button.

import { useNavigate, useSearch } from '@tanstack/react-router'
import { useDeferredValue, useState } from 'react'

interface ListSearch {
  filter?: string | undefined
  /** The selected status, on pages that have that filter. */
  state?: string | undefined
  /** The row whose details are open. */
  open?: string | undefined
  dialog?: 'add' | undefined
  /** Only what this device did, on the page of usage. */
  device?: string | undefined
  /** The conversation that is open, on the page of the playground. */
  chat?: string | undefined
}

const TEXTS = ['filter', 'state', 'open', 'device', 'chat'] as const

export function readListSearch(search: Record<string, unknown>): ListSearch {
  const texts = TEXTS.filter((name) => typeof search[name] === 'string' && search[name] !== '')
  const given: ListSearch = Object.fromEntries(texts.map((name) => [name, search[name]]))
  return search['dialog'] === 'add' ? { ...given, dialog: 'add' } : given
}

export function useListSearch() {
  const search: ListSearch = useSearch({ strict: false })
  const navigate = useNavigate()
  // The input updates immediately; the URL and a long list may follow a moment later.
  const [filter, setText] = useState(search.filter ?? '')

  function change(next: ListSearch, replace: boolean): void {
    void navigate({ to: '.', search: (before) => readListSearch({ ...before, ...next }), replace })
  }

  return {
    filter,
    slowFilter: useDeferredValue(filter),
    setFilter: (text: string) => {
      setText(text)
      change({ filter: text }, true)
    },
    state: search.state,
    setState: (state: string) => change({ state }, true),
    opened: search.open,
    device: search.device,
    open: (id: string) => change({ open: id }, false),
    /** Opens a row in place of a dialog. */
    show: (id: string) => change({ open: id, dialog: undefined }, true),
    isAdding: search.dialog === 'add',
    add: () => change({ dialog: 'add' }, false),
    close: () => change({ open: undefined, dialog: undefined }, true),
  }
}
