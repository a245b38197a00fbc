// Short news about what was just done. Errors do not belong here: they stay where they happened.

import { CircleCheck, X } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { Button } from './button.tsx'
import './toasts.css'

interface Toast {
  id: number
  text: string
  undo?: () => void
}

const SHOWN_MS = 5_000
const SHOWN_WITH_UNDO_MS = 12_000

let toasts: readonly Toast[] = []
let lastId = 0
const watchers = new Set<() => void>()

/** With `undo` it stays longer and offers to take the action back. */
export function showToast(text: string, undo?: () => void): void {
  const id = ++lastId
  set([...toasts, { id, text, ...(undo && { undo }) }])
  setTimeout(() => dismiss(id), undo ? SHOWN_WITH_UNDO_MS : SHOWN_MS)
}

function dismiss(id: number): void {
  set(toasts.filter((toast) => toast.id !== id))
}

function set(next: readonly Toast[]): void {
  toasts = next
  for (const watcher of watchers) watcher()
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

export function Toasts() {
  const shown = useSyncExternalStore(watch, () => toasts)
  return (
    <div className="toasts" role="status" aria-live="polite">
      {shown.map(({ id, text, undo }) => (
        <div key={id} className="toast">
          <CircleCheck size={18} aria-hidden />
          <span>{text}</span>
          {undo && (
            <Button
              size="small"
              onClick={() => {
                dismiss(id)
                undo()
              }}
            >
              Undo
            </Button>
          )}
          <Button kind="quiet" size="small" icon={X} aria-label="Dismiss" onClick={() => dismiss(id)} />
        </div>
      ))}
    </div>
  )
}
