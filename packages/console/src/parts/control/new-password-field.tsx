import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from '@hearth/password-rules/bounds'
import { TextField } from './field.tsx'
import { PasswordStrength } from './password-strength.tsx'

interface NewPasswordProps {
  label: string
  /** Shown after the sentence about the length. */
  advice: string
  /** The address of the person: the password must not contain it. */
  email: string
  value: string
  onChange: (password: string) => void
}

export function NewPasswordField({ label, advice, email, value, onChange }: NewPasswordProps) {
  return (
    <div>
      <TextField
        label={label}
        type="password"
        autoComplete="new-password"
        required
        minLength={SHORTEST_PASSWORD}
        maxLength={LONGEST_PASSWORD}
        hint={`At least ${SHORTEST_PASSWORD} characters. ${advice}`}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      <PasswordStrength password={value} email={email} />
    </div>
  )
}
