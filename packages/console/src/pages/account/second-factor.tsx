import { useState } from 'react'
import { api, send } from '../../api/client.ts'
import { refetchMe } from '../../api/changes.ts'
import { Form, FormDialog } from '../../parts/dialog/form.tsx'
import { Badge } from '../../parts/text/badge.tsx'
import { Code } from '../../parts/code/copy-button.tsx'
import { Dialog } from '../../parts/dialog/dialog.tsx'
import { DialogButton } from '../../parts/dialog/dialog-button.tsx'
import { Section } from '../../parts/frame/page.tsx'
import { TextField } from '../../parts/control/field.tsx'
import { CurrentPassword } from './current-password.tsx'
import { QrCode } from '../../parts/code/qr-code.tsx'
import { useSession } from '../../session/session.ts'

export function SecondFactorSection() {
  const { hasSecondFactor } = useSession().me.person
  return (
    <Section
      title="Two-factor authentication"
      about="Sign-in asks for a code from your authenticator app after the password."
    >
      <div className="card card-body row narrow justify-between">
        {hasSecondFactor ? <Badge tone="good">On</Badge> : <Badge>Off</Badge>}
        <DialogButton
          renderDialog={(close) => (hasSecondFactor ? <EndDialog onClose={close} /> : <BeginDialog onClose={close} />)}
        >
          {hasSecondFactor ? 'Turn off…' : 'Set up…'}
        </DialogButton>
      </div>
    </Section>
  )
}

interface Begun {
  uri: string
  backupCodes: readonly string[]
}

function BeginDialog({ onClose }: { onClose: () => void }) {
  const [begun, setBegun] = useState<Begun>()
  const [password, setPassword] = useState('')
  const begin = async () => setBegun(await send(api.POST('/me/second-factor', { body: { password } })))
  return (
    <Dialog title="Set up two-factor authentication" onClose={onClose}>
      {begun ? (
        <ConfirmForm begun={begun} onClose={onClose} />
      ) : (
        <Form act={begin} action="Continue" onClose={onClose}>
          <CurrentPassword label="Your password" value={password} onText={setPassword} />
        </Form>
      )}
    </Dialog>
  )
}

function EndDialog({ onClose }: { onClose: () => void }) {
  const [password, setPassword] = useState('')
  const end = async () => {
    await send(api.POST('/me/second-factor/end', { body: { password } }))
    await refetchMe()
  }
  return (
    <FormDialog
      title="Turn off two-factor authentication"
      about="After this, your password alone is enough to sign in."
      act={end}
      action="Turn off"
      done="Two-factor authentication is off"
      onClose={onClose}
    >
      <CurrentPassword label="Your password" value={password} onText={setPassword} />
    </FormDialog>
  )
}

function ConfirmForm({ begun: { uri, backupCodes }, onClose }: { begun: Begun; onClose: () => void }) {
  const [code, setCode] = useState('')
  const act = async () => {
    await send(api.POST('/me/second-factor/confirm', { body: { code: code.trim() } }))
    await refetchMe()
    onClose()
  }
  const secret = URL.parse(uri)?.searchParams.get('secret') ?? ''
  return (
    <Form act={act} action="Turn on" done="Two-factor authentication is on" onClose={onClose}>
      <p>Scan this QR code with an authenticator app, or enter the secret by hand.</p>
      <QrCode text={uri} label="QR code for an authenticator app" />
      <Code text={secret} label="Secret" />
      <div className="stack-small">
        <h3>Backup codes</h3>
        <p className="text-soft">
          Use these to sign in if you lose access to the app. Each works once. Save them now; they won't be shown again.
        </p>
        <Code text={backupCodes.join('\n')} label="Backup codes" />
      </div>
      <TextField
        label="Code from the app"
        inputMode="numeric"
        required
        autoComplete="one-time-code"
        value={code}
        onText={setCode}
      />
    </Form>
  )
}
