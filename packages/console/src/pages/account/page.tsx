import { useState } from 'react'
import { api, send } from '../../api/client.ts'
import { readMeAgain } from '../../api/queries.ts'
import { useSubmit } from '../../lib/use-submit.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Problem } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useSession } from '../../shell/session.ts'
import { SHORTEST_PASSWORD } from '../sign-in/person-fields.tsx'
import { SecondFactorSection } from './second-factor.tsx'
import './account.css'

export function AccountPage() {
  const { me } = useSession()
  return (
    <Page
      title="Your account"
      about={
        <>
          This session ends <Moment at={me.sessionExpiresAt} /> at the latest, unless you come back before.
        </>
      }
    >
      <Section title="You">
        <NameForm />
      </Section>
      {me.person.hasPassword && (
        <>
          <Section title="Password">
            <PasswordForm />
          </Section>
          <Section title="Second factor" about="A code of an authenticator app, asked for after the password.">
            <SecondFactorSection />
          </Section>
        </>
      )}
    </Page>
  )
}

function NameForm() {
  const { person } = useSession().me
  const [name, setName] = useState(person.name)
  const { submit, isBusy, failure } = useSubmit(async () => {
    await send(api.PATCH('/me', { body: { name: name.trim() } }))
    await readMeAgain()
    showToast('Name saved')
  })
  return (
    <form className="card card-body stack account-form" onSubmit={submit}>
      <TextField
        label="Name"
        required
        maxLength={128}
        autoComplete="name"
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <TextField label="E-mail" value={person.email} readOnly hint="You sign in with it." />
      {failure !== undefined && <Problem error={failure} />}
      <div>
        <Button
          type="submit"
          kind="primary"
          isBusy={isBusy}
          disabled={name.trim() === '' || name.trim() === person.name}
        >
          Save
        </Button>
      </div>
    </form>
  )
}

function PasswordForm() {
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const { submit, isBusy, failure } = useSubmit(async () => {
    await send(api.PUT('/me/password', { body: { current, next } }))
    setCurrent('')
    setNext('')
    showToast('Password changed. Your other sessions have ended')
  })
  return (
    <form className="card card-body stack account-form" onSubmit={submit}>
      <TextField
        label="Current password"
        type="password"
        required
        autoComplete="current-password"
        value={current}
        onChange={(event) => setCurrent(event.target.value)}
      />
      <TextField
        label="New password"
        type="password"
        required
        minLength={SHORTEST_PASSWORD}
        maxLength={128}
        autoComplete="new-password"
        hint={`At least ${SHORTEST_PASSWORD} characters. Your other sessions end.`}
        value={next}
        onChange={(event) => setNext(event.target.value)}
      />
      {failure !== undefined && <Problem error={failure} />}
      <div>
        <Button type="submit" kind="primary" isBusy={isBusy}>
          Change password
        </Button>
      </div>
    </form>
  )
}
