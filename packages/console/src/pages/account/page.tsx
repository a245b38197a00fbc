import { useState } from 'react'
import { api, send } from '../../api/client.ts'
import { refetchMe } from '../../api/changes.ts'
import { Form, FormDialog } from '../../parts/dialog/form.tsx'
import { TextField } from '../../parts/control/field.tsx'
import { CurrentPassword } from './current-password.tsx'
import { RelativeTime } from '../../parts/text/relative-time.tsx'
import { Page, Section } from '../../parts/frame/page.tsx'
import { showToast } from '../../parts/feedback/toasts.tsx'
import { useSession } from '../../session/session.ts'
import { ActivitySection } from './activity.tsx'
import { PasskeySection } from './passkeys.tsx'
import { usePasswordChange } from './password-change.tsx'
import { SecondFactorSection } from './second-factor.tsx'
import { SessionsSection } from './sessions.tsx'
import { DialogButton } from '../../parts/dialog/dialog-button.tsx'

export function AccountPage() {
  const { me } = useSession()
  return (
    <Page
      title="Your account"
      about={
        <>
          You stay signed in for 7 days after your last visit. You have to sign in again{' '}
          <RelativeTime at={me.sessionEndsAt} /> at the latest.
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
          <SecondFactorSection />
        </>
      )}
      <PasskeySection />
      <SessionsSection />
      <ActivitySection />
      <Section
        title="Your data"
        about="Everything that is kept about you, as a JSON file. Prompts and responses are not kept."
      >
        <div className="card card-body row narrow">
          <a className="button" href="/api/v1/me/export" download>
            Download
          </a>
        </div>
      </Section>
      <Section title="Delete account" about="You leave all organizations, and the keys you created stop working.">
        <div className="card card-body row narrow">
          <DialogButton kind="danger" renderDialog={(close) => <DeleteAccountDialog onClose={close} />}>
            Delete account…
          </DialogButton>
        </div>
      </Section>
    </Page>
  )
}

function NameForm() {
  const { person } = useSession().me
  const [name, setName] = useState(person.name)
  const act = async () => {
    await send(api.PATCH('/me', { body: { name: name.trim() } }))
    await refetchMe()
    showToast('Name saved')
  }
  return (
    <Form
      className="card card-body stack narrow"
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
  const { act, fields } = usePasswordChange()
  return (
    <Form className="card card-body stack narrow" act={act} action="Change password">
      {fields}
    </Form>
  )
}

function DeleteAccountDialog({ onClose }: { onClose: () => void }) {
  const { person } = useSession().me
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const act = async () => {
    await send(api.POST('/me/delete', { body: { email, ...(person.hasPassword && { password }) } }))
    // Loads a fresh page, so that no data of this person stays in memory.
    window.location.assign('/')
  }
  const isTyped = email.trim().toLowerCase() === person.email
  return (
    <FormDialog
      title="Delete your account"
      act={act}
      action="Delete account"
      kind="danger"
      disabled={!isTyped}
      onClose={onClose}
      before={
        <div className="stack-small text-soft">
          <p>
            You are signed out everywhere, leave all organizations, and the API keys you created stop working
            immediately. This can't be undone.
          </p>
          <p>Usage and the audit log of your organizations stay, under the name "Deleted account".</p>
        </div>
      }
    >
      <TextField
        label="Your email address"
        autoComplete="off"
        hint={`To confirm, type ${person.email}`}
        value={email}
        onText={setEmail}
      />
      {person.hasPassword && <CurrentPassword label="Your password" value={password} onText={setPassword} />}
    </FormDialog>
  )
}
