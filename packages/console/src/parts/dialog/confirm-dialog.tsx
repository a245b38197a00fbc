import { useState, type ReactNode } from 'react'
import { Form } from './form.tsx'
import { Dialog } from './dialog.tsx'
import { showToast } from '../feedback/toasts.tsx'
import { TextField } from '../control/field.tsx'
import { Name } from '../text/name.tsx'

interface ConfirmProps {
  title: ReactNode
  of?: string
  /** The consequences of the action. */
  children: ReactNode
  /** The verb on the button: "Remove device". */
  action: string
  /** For actions that cannot be undone: the name to type before the button works. If the title names something, that is it. */
  typed?: string
  onConfirm: () => Promise<unknown>
  /** What to say when that is done. */
  done?: string
  onClose: () => void
}

/** If the action fails, the dialog stays open and shows the error. */
export function ConfirmDialog({ title, of, children, action, typed = of, onConfirm, done, onClose }: ConfirmProps) {
  const [text, setText] = useState('')
  const act = async () => {
    await onConfirm()
    if (done !== undefined) showToast(done)
    onClose()
  }
  const isTyped = typed === undefined || isSameName(text, typed)
  return (
    <Dialog title={title} of={of} onClose={onClose}>
      <Form act={act} action={action} kind="danger" disabled={!isTyped} onClose={onClose}>
        <div className="stack-small text-soft">{children}</div>
        {typed !== undefined && (
          <>
            <p>
              To confirm, type <Name text={typed} isStrong />
            </p>
            <TextField label="Name" autoComplete="off" value={text} onText={setText} />
          </>
        )}
      </Form>
    </Dialog>
  )
}

// People cannot type characters they cannot see.
function isSameName(text: string, name: string): boolean {
  return seen(text) === seen(name)
}

function seen(name: string): string {
  return name.replaceAll(/[\p{C}\p{Z}]/gu, '')
}
