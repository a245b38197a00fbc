import { useState } from 'react'
import { Form } from './form.tsx'
import { Dialog } from './dialog.tsx'
import { showToast } from '../feedback/toasts.tsx'
import { TextField } from '../control/field.tsx'

const MAX_NAME = 128

interface NameDialogProps {
  title: string
  about: string
  action: string
  name: string
  onClose: () => void
  onSave: (name: string) => Promise<unknown>
  /** What to say when that is done. */
  done?: string
}

/** Asks for a name. */
export function NameDialog({ title, about, action, name: before, onClose, onSave, done }: NameDialogProps) {
  const [name, setName] = useState(before)
  const act = async () => {
    await onSave(name.trim())
    if (done !== undefined) showToast(done)
    onClose()
  }
  return (
    <Dialog title={title} about={about} onClose={onClose}>
      <Form act={act} action={action} disabled={name.trim() === ''} onClose={onClose}>
        <TextField label="Name" required maxLength={MAX_NAME} value={name} onText={setName} />
      </Form>
    </Dialog>
  )
}
