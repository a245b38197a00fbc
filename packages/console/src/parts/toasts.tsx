// Short news about what was just done. What goes wrong in a form stays there; only actions without a form tell it here.

import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { Button } from './button.tsx'
import { messageOf } from './states.tsx'
import './toasts.css'

interface Toast {
  id: number
  text: string
  isProblem: boolean
  undo: (() => void) | undefined
}

const SHOWN_MS = 5_000
const SHOWN_LONG_MS = 12_000

let toasts: readonly Toast[] = []
let lastId = 0
const watchers = new Set<() => void>()

/** With `undo` it stays longer and offers to take the action back. */
export function showToast(text: string, undo?: () => void): void {
  add({ text, undo, isProblem: false }, undo ? SHOWN_LONG_MS : SHOWN_MS)
}

export function showProblem(error: unknown): void {
  add({ text: messageOf(error), undo: undefined, isProblem: true }, SHOWN_LONG_MS)
}

function add(toast: Omit<Toast, 'id'>, shownMs: number): void {
  const id = ++lastId
  set([...toasts, { id, ...toast }])
  setTimeout(() => dismiss(id), shownMs)
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

/** Once in the shell, and once in each open dialog: what lies outside of a dialog cannot be reached while it is open. */
export function Toasts() {
  const shown = useSyncExternalStore(watch, () => toasts)
  return (
    <div className="toasts" role="status" aria-live="polite">
      {shown.map(({ id, text, undo, isProblem }) => (
        <div key={id} className={isProblem ? 'toast toast-problem' : 'toast'}>
          {isProblem ? <CircleAlert size={18} aria-hidden /> : <CircleCheck size={18} aria-hidden />}
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
