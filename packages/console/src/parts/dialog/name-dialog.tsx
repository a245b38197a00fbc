import { useState } from 'react'
import { useSubmit } from '../../lib/use-submit.ts'
import { Button } from '../control/button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'
import { TextField } from '../control/field.tsx'
import { Problem } from '../feedback/states.tsx'

const MAX_NAME = 128

interface NameDialogProps {
  title: string
  about: string
  action: string
  name: string
  onClose: () => void
  onSave: (name: string) => Promise<void>
}

/** Asks for a name. */
export function NameDialog({ title, about, action, name: before, onClose, onSave }: NameDialogProps) {
  const [name, setName] = useState(before)
  const { submit, isBusy, failure } = useSubmit(async () => {
    await onSave(name.trim())
    onClose()
  })
  return (
    <Dialog title={title} about={about} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <TextField
          label="Name"
          required
          maxLength={MAX_NAME}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        {failure !== undefined && <Problem error={failure} />}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" isBusy={isBusy} disabled={name.trim() === ''}>
            {action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
