import { useState } from 'react'
import { FormDialog, type FormDialogProps } from './form.tsx'
import { TextField } from '../control/field.tsx'

const MAX_NAME = 128

interface NameDialogProps extends Omit<FormDialogProps, 'act'> {
  name: string
  onSave: (name: string) => Promise<unknown>
}

/** Asks for a name. */
export function NameDialog({ name: before, onSave, ...dialog }: NameDialogProps) {
  const [name, setName] = useState(before)
  return (
    <FormDialog act={async () => onSave(name.trim())} disabled={name.trim() === ''} {...dialog}>
      <TextField label="Name" required maxLength={MAX_NAME} value={name} onText={setName} />
    </FormDialog>
  )
}
