// Short messages about the last action. Forms show their own errors; only actions without a form report them here.

import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { SharedValue } from '../../lib/shared-value.ts'
import { Button } from '../control/button.tsx'
import { messageOf } from './states.tsx'

interface Toast {
  id: number
  text: string
  isProblem: boolean
  undo: (() => void) | undefined
}

const SHOWN_MS = 5_000
const SHOWN_LONG_MS = 12_000

const toasts = new SharedValue<readonly Toast[]>([])
let lastId = 0

/** With `undo`, the toast stays longer and has an Undo button. */
export function showToast(text: string, undo?: () => void): void {
  add({ text, undo, isProblem: false }, undo ? SHOWN_LONG_MS : SHOWN_MS)
}

/** Says how an action went. React Query would drop a callback of the mutation if the row that started it is gone by then. */
export function report(action: Promise<unknown>, success: string, undo?: () => void): void {
  action.then(() => showToast(success, undo), showProblem)
}

export function showProblem(error: unknown): void {
  add({ text: messageOf(error), undo: undefined, isProblem: true }, SHOWN_LONG_MS)
}

function add(toast: Omit<Toast, 'id'>, shownMs: number): void {
  const id = ++lastId
  toasts.set([...toasts.get(), { id, ...toast }])
  setTimeout(() => dismiss(id), shownMs)
}

function dismiss(id: number): void {
  toasts.set(toasts.get().filter((toast) => toast.id !== id))
}

/** Rendered in the shell and in every dialog, because nothing outside an open dialog is reachable. */
export function Toasts() {
  const shown = toasts.use()
  return (
    <div className="toasts" role="status" aria-live="polite">
      {shown.map(({ id, text, undo, isProblem }) => (
        <div
          key={id}
          className="toast flex items-center gap-6 py-5 pr-5 pl-9 bg-raised border border-line-strong rounded-large shadow-large"
        >
          {isProblem ? (
            <CircleAlert size={18} className="text-bad" aria-hidden />
          ) : (
            <CircleCheck size={18} className="text-good" aria-hidden />
          )}
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
