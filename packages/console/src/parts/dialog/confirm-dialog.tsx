import { useState } from 'react'
import { FormDialog, type FormDialogProps } from './form.tsx'
import { TextField } from '../control/field.tsx'
import { Name } from '../text/name.tsx'

/** Its children say what follows from the action. */
interface ConfirmProps extends FormDialogProps {
  /** For actions that cannot be undone: the name to type before the button works. If the title names something, that is it. */
  typed?: string
}

/** If the action fails, the dialog stays open and shows the error. */
export function ConfirmDialog({ children, typed, ...dialog }: ConfirmProps) {
  const [text, setText] = useState('')
  const name = typed ?? dialog.of
  return (
    <FormDialog kind="danger" disabled={name !== undefined && seen(text) !== seen(name)} {...dialog}>
      <div className="stack-small text-soft">{children}</div>
      {name !== undefined && (
        <>
          <p>
            To confirm, type <Name text={name} isStrong />
          </p>
          <TextField label="Name" autoComplete="off" value={text} onText={setText} />
        </>
      )}
    </FormDialog>
  )
}

/** People cannot type characters they cannot see. */
function seen(name: string): string {
  return name.replaceAll(/[\p{C}\p{Z}]/gu, '')
}
