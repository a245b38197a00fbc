import { TextField } from './field.tsx'

/** The gateway rejects passwords outside these bounds. */
const SHORTEST = 10
const LONGEST = 128

interface NewPasswordProps {
  label: string
  /** Shown after the sentence about the length. */
  advice: string
  value: string
  onChange: (password: string) => void
}

export function NewPasswordField({ label, advice, value, onChange }: NewPasswordProps) {
  return (
    <TextField
      label={label}
      type="password"
      autoComplete="new-password"
      required
      minLength={SHORTEST}
      maxLength={LONGEST}
      hint={`At least ${SHORTEST} characters. ${advice}`}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
