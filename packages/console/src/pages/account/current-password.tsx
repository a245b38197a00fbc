import { TextField } from '../../parts/control/field.tsx'

interface CurrentPasswordProps {
  label: string
  value: string
  onChange: (password: string) => void
}

/** The password of the person who is signed in, to confirm a change of the account. */
export function CurrentPassword({ label, value, onChange }: CurrentPasswordProps) {
  return (
    <TextField label={label} type="password" required autoComplete="current-password" value={value} onText={onChange} />
  )
}
