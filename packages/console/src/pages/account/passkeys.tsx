import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { addPasskey, hasBrowserPasskeys, passkeys as passkeysQuery, removePasskey } from '../../api/passkeys.ts'
import { signInOptions } from '../../api/person.ts'
import { TextField } from '../../parts/control/field.tsx'
import { ConfirmDialog } from '../../parts/dialog/confirm-dialog.tsx'
import { DialogButton } from '../../parts/dialog/dialog-button.tsx'
import { FormDialog } from '../../parts/dialog/form.tsx'
import { Loaded, Skeleton } from '../../parts/feedback/states.tsx'
import { Section } from '../../parts/frame/page.tsx'
import { RelativeTime } from '../../parts/text/relative-time.tsx'
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
        <Loaded query={options} loading={<Skeleton lines={2} />}>
          {({ hasPasskeys }) =>
            hasPasskeys && hasBrowserPasskeys() ? (
              <Passkeys />
            ) : (
              <p className="text-soft">
                {hasPasskeys
                  ? 'This browser can’t use passkeys here. Open the console over HTTPS, or as http://localhost, in a current browser.'
                  : 'Passkeys belong to one web address. The operator of this gateway turns them on by setting PUBLIC_URL to its https:// URL.'}
              </p>
            )
          }
        </Loaded>
      </div>
    </Section>
  )
}

function Passkeys() {
  const query = useQuery(passkeysQuery)
  return (
    <>
      <Loaded query={query} loading={<Skeleton lines={2} />}>
        {(passkeys) => (
          <ul className="entries">
            {passkeys.map(({ id, name, createdAt }) => (
              <li key={id}>
                <div className="entry-head">
                  <div>
                    <Name text={name} />
                    <p className="text-small text-soft">
                      Added <RelativeTime at={createdAt} />
                    </p>
                  </div>
                  <DialogButton
                    size="small"
                    renderDialog={(close) => (
                      <ConfirmDialog
                        title={`Remove the passkey ${name}`}
                        action="Remove passkey"
                        done="Passkey removed"
                        act={async () => removePasskey(id)}
                        onClose={close}
                      >
                        <p>It no longer signs you in here. Delete it on your device too.</p>
                      </ConfirmDialog>
                    )}
                  >
                    Remove…
                  </DialogButton>
                </div>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      <div>
        <DialogButton renderDialog={(close) => <AddDialog onClose={close} />}>Add a passkey…</DialogButton>
      </div>
    </>
  )
}

function AddDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState(describeBrowser(navigator.userAgent))
  return (
    <FormDialog
      title="Add a passkey"
      about="Your browser asks next where to keep it."
      act={async () => addPasskey(name.trim())}
      action="Continue"
      done="Passkey added"
      onClose={onClose}
    >
      <TextField
        label="Name"
        required
        maxLength={64}
        hint="So that you recognize it in this list."
        value={name}
        onText={setName}
      />
    </FormDialog>
  )
}
