import { TextField } from '../../../parts/control/field.tsx'

interface SealFieldProps {
  label?: string
  value: string
  onChange: (seal: string) => void
}

/** A field to paste a seal into. The gateway checks it, and notices typos. */
export function SealField({ label = 'Your seal', value, onChange }: SealFieldProps) {
  return (
    <TextField
      label={label}
      placeholder="hs-…"
      hint="Paste the line that hearth-seal init printed. It is the public half: the secret one stays on your computer."
      required
      autoComplete="off"
      spellCheck={false}
      maxLength={256}
      value={value}
      onText={onChange}
    />
  )
}
