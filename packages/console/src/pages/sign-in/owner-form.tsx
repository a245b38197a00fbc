import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { refetchEverything } from '../../api/changes.ts'
import { Form } from '../../parts/dialog/form.tsx'
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

/** Opens the console for someone who has just got an account or joined. */
export function useEnter(): () => Promise<void> {
  const navigate = useNavigate()
  return async () => {
    await refetchEverything()
    await navigate({ to: '/', replace: true })
  }
}

/** Welcomes the first person, who becomes the owner. */
export function OwnerForm({ organization: before = '', problem, onCreate }: OwnerFormProps) {
  const [person, setPerson] = useState({ name: '', email: '', password: '' })
  const [organization, setOrganization] = useState(before)
  const act = async () => onCreate(person, organization.trim())
  return (
    <Form act={act} action="Create owner account" disabled={problem !== undefined} isWide>
      <header className="grid gap-2.5">
        <h1>Welcome to Hearth</h1>
        <p className="text-soft">Create the owner account. You can invite others later.</p>
      </header>
      <TextField
        label="Organization"
        required
        maxLength={128}
        autoComplete="organization"
        placeholder="Acme, or your family’s name"
        hint="Everyone you invite sees this name. You can change it later."
        value={organization}
        onText={setOrganization}
      />
      <PersonFields person={person} onChange={setPerson} />
      {problem && <Problem error={problem} />}
    </Form>
  )
}
