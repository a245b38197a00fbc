import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  addPasskey,
  hasBrowserPasskeys,
  passkeys as passkeysQuery,
  removePasskey,
  type Passkey,
} from '../../api/passkeys.ts'
import { signInOptions } from '../../api/queries/person.ts'
import { Button } from '../../parts/control/button.tsx'
import { TextField } from '../../parts/control/field.tsx'
import { ConfirmDialog } from '../../parts/dialog/confirm-dialog.tsx'
import { Dialog } from '../../parts/dialog/dialog.tsx'
import { Form } from '../../parts/dialog/form.tsx'
import { Loaded, Waiting } from '../../parts/feedback/states.tsx'
import { Section } from '../../parts/frame/page.tsx'
import { Moment } from '../../parts/text/moment.tsx'
import { Name } from '../../parts/text/name.tsx'
import { describeBrowser } from './describe-browser.ts'

export function PasskeySection() {
  const options = useQuery(signInOptions)
  return (
    <Section
      title="Passkeys"
      about="Sign in with your fingerprint, your face or a security key instead of a password and a code."
    >
      <div className="card card-body stack narrow">
        <Loaded query={options} waiting={<Waiting lines={2} />}>
          {({ hasPasskeys }) => (hasPasskeys && hasBrowserPasskeys() ? <Passkeys /> : <NotHere isSet={hasPasskeys} />)}
        </Loaded>
      </div>
    </Section>
  )
}

function NotHere({ isSet }: { isSet: boolean }) {
  return (
    <p className="text-soft">
      {isSet
        ? 'This browser can’t use passkeys here. Open the console over HTTPS, or as http://localhost, in a current browser.'
        : 'Passkeys belong to one web address. The operator of this gateway turns them on by setting PUBLIC_URL to its https:// URL.'}
    </p>
  )
}

function Passkeys() {
  const query = useQuery(passkeysQuery)
  const [isAdding, setAdding] = useState(false)
  const [removed, setRemoved] = useState<Passkey>()
  return (
    <>
      <Loaded query={query} waiting={<Waiting lines={2} />}>
        {(passkeys) => (
          <ul className="entries">
            {passkeys.map((passkey) => (
              <li key={passkey.id}>
                <div className="entry-head">
                  <div>
                    <Name text={passkey.name} />
                    <p className="text-small text-soft">
                      Added <Moment at={passkey.createdAt} />
                    </p>
                  </div>
                  <Button size="small" onClick={() => setRemoved(passkey)}>
                    Remove…
                  </Button>
                </div>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      <div>
        <Button onClick={() => setAdding(true)}>Add a passkey…</Button>
      </div>
      {isAdding && <AddDialog onClose={() => setAdding(false)} />}
      {removed && <RemoveDialog passkey={removed} onClose={() => setRemoved(undefined)} />}
    </>
  )
}

function RemoveDialog({ passkey: { id, name }, onClose }: { passkey: Passkey; onClose: () => void }) {
  return (
    <ConfirmDialog
      title={`Remove the passkey ${name}`}
      action="Remove passkey"
      done="Passkey removed"
      onConfirm={async () => removePasskey(id)}
      onClose={onClose}
    >
      <p>It no longer signs you in here. Delete it on your device too.</p>
    </ConfirmDialog>
  )
}

function AddDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState(describeBrowser(navigator.userAgent))
  const act = async () => {
    await addPasskey(name.trim())
    onClose()
  }
  return (
    <Dialog title="Add a passkey" about="Your browser asks next where to keep it." onClose={onClose}>
      <Form act={act} action="Continue" done="Passkey added" onClose={onClose}>
        <TextField
          label="Name"
          required
          maxLength={64}
          hint="So that you recognize it in this list."
          value={name}
          onText={setName}
        />
      </Form>
    </Dialog>
  )
}
