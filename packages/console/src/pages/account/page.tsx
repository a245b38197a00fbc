import { useState } from 'react'
import { api, send } from '../../api/client.ts'
import { readMeAgain } from '../../api/changes.ts'
import { Form } from '../../parts/dialog/form.tsx'
import { TextField } from '../../parts/control/field.tsx'
import { CurrentPassword } from './current-password.tsx'
import { Moment } from '../../parts/text/moment.tsx'
import { NewPasswordField } from '../../parts/control/new-password-field.tsx'
import { Page, Section } from '../../parts/frame/page.tsx'
import { showToast } from '../../parts/feedback/toasts.tsx'
import { useSession } from '../../session/session.ts'
import { DeleteAccount } from './delete-account.tsx'
import { SecondFactorSection } from './second-factor.tsx'
import './account.css'

export function AccountPage() {
  const { me } = useSession()
  return (
    <Page
      title="Your account"
      about={
        <>
          You will be signed out <Moment at={me.sessionExpiresAt} /> unless you visit again before then.
        </>
      }
    >
      <Section title="Profile">
        <NameForm />
      </Section>
      {me.person.hasPassword && (
        <>
          <Section title="Password">
            <PasswordForm />
          </Section>
          <Section
            title="Two-factor authentication"
            about="Sign-in asks for a code from your authenticator app after the password."
          >
            <SecondFactorSection />
          </Section>
        </>
      )}
      <Section title="Delete account" about="You leave all organizations, and the keys you created stop working.">
        <DeleteAccount />
      </Section>
    </Page>
  )
}

function NameForm() {
  const { person } = useSession().me
  const [name, setName] = useState(person.name)
  const act = async () => {
    await send(api.PATCH('/me', { body: { name: name.trim() } }))
    await readMeAgain()
    showToast('Name saved')
  }
  return (
    <Form
      className="card card-body stack account-form"
      act={act}
      action="Save"
      disabled={name.trim() === '' || name.trim() === person.name}
    >
      <TextField label="Name" required maxLength={128} autoComplete="name" value={name} onText={setName} />
      <TextField label="Email" value={person.email} readOnly hint="You sign in with this address." />
    </Form>
  )
}

function PasswordForm() {
  const { email } = useSession().me.person
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const act = async () => {
    await send(api.PUT('/me/password', { body: { current, next } }))
    // The old session has ended, and a request sent with it may have made the console think that you are signed out.
    await readMeAgain()
    setCurrent('')
    setNext('')
    showToast('Password changed. You are signed out everywhere else.')
  }
  return (
    <Form className="card card-body stack account-form" act={act} action="Change password">
      <CurrentPassword label="Current password" value={current} onChange={setCurrent} />
      <NewPasswordField
        label="New password"
        advice="Changing it signs you out everywhere else."
        email={email}
        value={next}
        onChange={setNext}
      />
    </Form>
  )
}
