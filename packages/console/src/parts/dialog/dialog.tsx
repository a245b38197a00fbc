import { X } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { Button } from '../control/button.tsx'
import { Toasts } from '../feedback/toasts.tsx'
import { Name } from '../text/name.tsx'
import { useModal } from './use-modal.ts'

interface DialogProps {
  title: ReactNode
  /** The name of what it is about, which follows the title. */
  of?: string | undefined
  /** A sentence under the title. */
  about?: ReactNode
  /** dialog: centered; wide: for tables and code; sheet: full height at the side. */
  shape?: 'dialog' | 'wide' | 'sheet'
  /** Called on Escape, the close button or a click outside. Without it, only the dialog's own buttons close it. */
  onClose?: () => void
  children: ReactNode
}

const CENTERED = 'max-h-[calc(100dvh-2rem)] m-auto border rounded-large motion-safe:open:animate-rise'
const SHAPES = {
  dialog: `w-[min(32rem,100vw-2rem)] ${CENTERED}`,
  wide: `w-[min(48rem,100vw-2rem)] ${CENTERED}`,
  sheet:
    'w-[min(36rem,100vw)] h-dvh max-h-none m-0 ml-auto border-0 border-l rounded-none motion-safe:open:animate-slide',
}

/** Open for as long as it is rendered. The browser's modal dialog keeps the focus inside and returns it afterwards. */
export function Dialog({ title, of, about, shape = 'dialog', onClose, children }: DialogProps) {
  const id = useId()
  const modal = useModal(onClose)
  // Rendered in the body: inside a table cell, it would inherit the cell's styles.
  return createPortal(
    <dialog
      {...modal}
      className={`dialog max-w-none p-0 text-inherit bg-raised border-line shadow-large overflow-auto overscroll-contain ${SHAPES[shape]}`}
      aria-labelledby={id}
    >
      <div className="relative grid gap-12.5 p-15 phone:px-10 phone:py-12.5">
        <header className="grid gap-3.5 pr-25 min-w-0">
          <h2 className="text-[1.3rem] wrap-anywhere" id={id}>
            {title} {of !== undefined && <Name text={of} />}
          </h2>
          {about !== undefined && <p className="text-soft">{about}</p>}
        </header>
        {children}
        {/* Last, so that the first field gets the focus. */}
        {onClose && (
          <Button kind="quiet" icon={X} aria-label="Close" className="absolute top-11 right-10" onClick={onClose} />
        )}
      </div>
      <Toasts />
    </dialog>,
    document.body,
  )
}

/** Buttons at the bottom of a dialog, the main one last. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap justify-end gap-5 phone:[&>.button]:flex-auto">{children}</div>
}
