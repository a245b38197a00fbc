import { useState, type ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'
import { TextField } from './field.tsx'
import { Name } from './name.tsx'
import { Problem } from './states.tsx'

interface ConfirmProps {
  title: ReactNode
  /** What will happen, said plainly. */
  children: ReactNode
  /** The verb on the button: "Remove device". */
  action: string
  /** Has to be typed before the button works; for what cannot be undone. */
  typed?: string
  onConfirm: () => Promise<unknown>
  onClose: () => void
}

/** Stays open, and says why, when the action fails. */
export function ConfirmDialog({ title, children, action, typed, onConfirm, onClose }: ConfirmProps) {
  const [text, setText] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()

  async function confirm(): Promise<void> {
    setBusy(true)
    setFailure(undefined)
    try {
      await onConfirm()
      onClose()
    } catch (error) {
      setFailure(error)
      setBusy(false)
    }
  }

  return (
    <Dialog title={title} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void confirm()
        }}
      >
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
          <Button
            type="submit"
            kind="danger"
            isBusy={isBusy}
            disabled={typed !== undefined && !isSameName(text, typed)}
          >
            {action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

// Characters that cannot be seen cannot be typed either.
function isSameName(text: string, name: string): boolean {
  return seen(text) === seen(name)
}

function seen(name: string): string {
  return name.replaceAll(/[\p{C}\p{Z}]/gu, '')
}
