import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { api, send } from '../../api/client.ts'
import { readEverythingAgain, signInOptions } from '../../api/queries.ts'
import { useSecretInAddress } from '../../lib/use-secret-in-address.ts'
import { useSubmit } from '../../lib/use-submit.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { Loaded, Problem } from '../../parts/states.tsx'
import { Splash } from '../../parts/splash.tsx'
import { PersonFields } from './person-fields.tsx'
import './sign-in.css'

/** The first visit, with the link that the gateway printed. */
export function SetUpPage() {
  const options = useQuery(signInOptions)
  useEffect(() => {
    document.title = 'Set up · Hearth'
  }, [])
  return (
    <Splash>
      <div className="card card-body stack">
        <Loaded query={options} waiting={<span className="sign-in-waiting" />}>
          {({ isSetUp }) => (isSetUp ? <SetUpAlready /> : <SetUpForm />)}
        </Loaded>
      </div>
    </Splash>
  )
}

function SetUpForm() {
  const token = useSecretInAddress()
  const navigate = useNavigate()
  const [person, setPerson] = useState({ name: '', email: '', password: '' })
  const [organization, setOrganization] = useState('')
  const { submit, isBusy, failure } = useSubmit(async () => {
    await send(api.POST('/set-up', { body: { token, ...person, organization } }))
    await readEverythingAgain()
    await navigate({ to: '/', replace: true })
  })
  return (
    <form className="stack" onSubmit={submit}>
      <header>
        <h1>Welcome to Hearth</h1>
        <p className="soft">You're the first person here, so you become the owner of the first organization.</p>
      </header>
      <PersonFields person={person} onChange={setPerson} />
      <TextField
        label="Organization"
        required
        maxLength={128}
        autoComplete="organization"
        hint="A company, team or household. You can rename it later."
        value={organization}
        onChange={(event) => setOrganization(event.target.value)}
      />
      {token === '' && <Problem error={new Error('This link is incomplete. Copy all of it from the log.')} />}
      {failure !== undefined && <Problem error={failure} />}
      <Button type="submit" kind="primary" isBusy={isBusy} disabled={token === ''}>
        Set up Hearth
      </Button>
    </form>
  )
}

function SetUpAlready() {
  return (
    <>
      <h1>Hearth is already set up</h1>
      <p className="soft">
        This link only works once, and someone has used it. If you have an account, sign in. If not, ask for an
        invitation.
      </p>
      <Link to="/" className="button button-primary">
        Sign in
      </Link>
    </>
  )
}
