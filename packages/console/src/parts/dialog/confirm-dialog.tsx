import { useState, type ReactNode } from 'react'
import { useSubmit } from '../../lib/use-submit.ts'
import { Button } from '../control/button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'
import { TextField } from '../control/field.tsx'
import { Name } from '../text/name.tsx'
import { Problem } from '../feedback/states.tsx'

interface ConfirmProps {
  title: ReactNode
  /** The consequences of the action. */
  children: ReactNode
  /** The verb on the button: "Remove device". */
  action: string
  /** For actions that cannot be undone: the name to type before the button works. */
  typed?: string
  onConfirm: () => Promise<unknown>
  onClose: () => void
}

/** If the action fails, the dialog stays open and shows the error. */
export function ConfirmDialog({ title, children, action, typed, onConfirm, onClose }: ConfirmProps) {
  const [text, setText] = useState('')
  const { submit, isBusy, failure } = useSubmit(async () => {
    await onConfirm()
    onClose()
  })
  const isTyped = typed === undefined || isSameName(text, typed)
  return (
    <Dialog title={title} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <div className="stack-small soft">{children}</div>
        {typed !== undefined && (
          <>
            <p>
              To confirm, type <Name text={typed} isStrong />
            </p>
            <TextField label="Name" autoComplete="off" value={text} onChange={(event) => setText(event.target.value)} />
          </>
        )}
        {failure !== undefined && <Problem error={failure} />}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="danger" isBusy={isBusy} disabled={!isTyped}>
            {action}
          </Button>
        </DialogActions>
      </form>
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
