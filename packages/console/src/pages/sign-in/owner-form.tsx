import { useState } from 'react'
import { useSubmit } from '../../lib/use-submit.ts'
import { Button } from '../../parts/control/button.tsx'
import { TextField } from '../../parts/control/field.tsx'
import { Problem } from '../../parts/feedback/states.tsx'
import { PersonFields, type NewPerson } from './person-fields.tsx'

interface OwnerFormProps {
  /** A name that the organization already has. */
  organization?: string
  /** Why the link can't work. */
  problem?: Error | undefined
  onCreate: (owner: NewPerson, organization: string) => Promise<void>
}

/** Welcomes the first person, who becomes the owner. */
export function OwnerForm({ organization: before = '', problem, onCreate }: OwnerFormProps) {
  const [person, setPerson] = useState({ name: '', email: '', password: '' })
  const [organization, setOrganization] = useState(before)
  const { submit, isBusy, failure } = useSubmit(async () => onCreate(person, organization.trim()))
  return (
    <form className="stack" onSubmit={submit}>
      <header className="sign-in-head">
        <h1>Welcome to Hearth</h1>
        <p className="soft">Create the owner account. You can invite others later.</p>
      </header>
      <TextField
        label="Organization"
        required
        maxLength={128}
        autoComplete="organization"
        placeholder="Acme, or your family’s name"
        hint="Everyone you invite sees this name. You can change it later."
        value={organization}
        onChange={(event) => setOrganization(event.target.value)}
      />
      <PersonFields person={person} onChange={setPerson} />
      {problem && <Problem error={problem} />}
      {failure !== undefined && <Problem error={failure} />}
      <Button type="submit" kind="primary" isBusy={isBusy} disabled={problem !== undefined}>
        Create owner account
      </Button>
    </form>
  )
}
