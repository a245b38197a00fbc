import { X } from 'lucide-react'
import { useId, useLayoutEffect, useRef, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { Button } from './button.tsx'
import { Toasts } from './toasts.tsx'
import './dialog.css'

interface DialogProps {
  title: ReactNode
  /** A sentence under the title. */
  about?: ReactNode
  /** dialog: in the middle; wide: for tables and code; sheet: the whole height, at the side. */
  shape?: 'dialog' | 'wide' | 'sheet'
  /** Escape, the cross, or a click beside it. Not given: it can only be left through its own buttons. */
  onClose?: () => void
  children: ReactNode
}

/** Is open while it is rendered. The browser's own modal dialog keeps the focus inside, and gives it back afterwards. */
export function Dialog({ title, about, shape = 'dialog', onClose, children }: DialogProps) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  // In the body, whatever opened it: a cell of a table would hand it down its own look.
  return createPortal(
    <dialog
      ref={dialog}
      className={`dialog dialog-${shape}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose?.()
      }}
      onMouseDown={(event) => event.target === dialog.current && onClose?.()}
    >
      <div className="dialog-inside">
        <header className="dialog-head">
          <h2 id={id}>{title}</h2>
          {about !== undefined && <p className="soft">{about}</p>}
        </header>
        {children}
        {/* Last, so that the first field has the focus. */}
        {onClose && <Button kind="quiet" icon={X} aria-label="Close" className="dialog-close" onClick={onClose} />}
      </div>
      <Toasts />
    </dialog>,
    document.body,
  )
}

/** Buttons at the end of a dialog, the main one last. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="dialog-actions">{children}</div>
}
