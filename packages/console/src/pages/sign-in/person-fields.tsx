import { TextField } from '../../parts/control/field.tsx'
import { NewPasswordField } from '../../parts/control/new-password-field.tsx'

export interface NewPerson {
  name: string
  email: string
  password: string
}

interface PersonFieldsProps {
  person: NewPerson
  onChange: (person: NewPerson) => void
  /** The invitation sets the address, so it cannot change. */
  isEmailFixed?: boolean
}

const LONGEST_NAME = 128

/** Fields for a new account. */
export function PersonFields({ person, onChange, isEmailFixed = false }: PersonFieldsProps) {
  const set = (field: keyof NewPerson) => (text: string) => onChange({ ...person, [field]: text })
  return (
    <>
      <TextField
        label="Your name"
        autoComplete="name"
        required
        maxLength={LONGEST_NAME}
        value={person.name}
        onText={set('name')}
      />
      <TextField
        label="Email"
        type="email"
        autoComplete="username"
        required
        readOnly={isEmailFixed}
        hint={
          isEmailFixed
            ? 'The invitation is for this address.'
            : "You sign in with this address. Hearth doesn't send emails."
        }
        value={person.email}
        onText={set('email')}
      />
      <NewPasswordField
        label="Password"
        advice="A few random words are easy to remember and hard to guess."
        email={person.email}
        value={person.password}
        onChange={set('password')}
      />
    </>
  )
}
