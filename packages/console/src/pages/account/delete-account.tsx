import { useState } from 'react'
import { api, send } from '../../api/client.ts'
import { Form } from '../../parts/dialog/form.tsx'
import { Button } from '../../parts/control/button.tsx'
import { TextField } from '../../parts/control/field.tsx'
import { CurrentPassword } from './current-password.tsx'
import { Dialog } from '../../parts/dialog/dialog.tsx'
import { useSession } from '../../session/session.ts'

export function DeleteAccount() {
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="card card-body row account-form">
      <Button kind="danger" onClick={() => setOpen(true)}>
        Delete account…
      </Button>
      {isOpen && <DeleteAccountDialog onClose={() => setOpen(false)} />}
    </div>
  )
}

function DeleteAccountDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Delete your account" onClose={onClose}>
      <div className="stack-small soft">
        <p>
          You are signed out everywhere, leave all organizations, and the API keys you created stop working immediately.
          This can't be undone.
        </p>
        <p>Usage and the audit log of your organizations stay, under the name "Deleted account".</p>
      </div>
      <DeleteAccountForm onClose={onClose} />
    </Dialog>
  )
}

function DeleteAccountForm({ onClose }: { onClose: () => void }) {
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
    <Form act={act} action="Delete account" kind="danger" disabled={!isTyped} onClose={onClose}>
      <TextField
        label="Your email address"
        autoComplete="off"
        hint={`To confirm, type ${person.email}`}
        value={email}
        onText={setEmail}
      />
      {person.hasPassword && <CurrentPassword label="Your password" value={password} onChange={setPassword} />}
    </Form>
  )
}
