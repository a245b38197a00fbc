import { useState } from 'react'
import { api, send } from '../../api/client.ts'
import { readMeAgain } from '../../api/changes.ts'
import { Form } from '../../parts/dialog/form.tsx'
import { Badge } from '../../parts/text/badge.tsx'
import { Button } from '../../parts/control/button.tsx'
import { Code } from '../../parts/code/copy-button.tsx'
import { Dialog } from '../../parts/dialog/dialog.tsx'
import { TextField } from '../../parts/control/field.tsx'
import { CurrentPassword } from './current-password.tsx'
import { QrCode } from '../../parts/code/qr-code.tsx'
import { showToast } from '../../parts/feedback/toasts.tsx'
import { useSession } from '../../session/session.ts'

export function SecondFactorSection() {
  const { hasSecondFactor } = useSession().me.person
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <div className="card card-body row narrow justify-between">
      {hasSecondFactor ? <Badge tone="good">On</Badge> : <Badge>Off</Badge>}
      <Button onClick={() => setOpen(true)}>{hasSecondFactor ? 'Turn off…' : 'Set up…'}</Button>
      {isOpen && (hasSecondFactor ? <EndDialog onClose={close} /> : <BeginDialog onClose={close} />)}
    </div>
  )
}

interface Begun {
  uri: string
  backupCodes: readonly string[]
}

function BeginDialog({ onClose }: { onClose: () => void }) {
  const [begun, setBegun] = useState<Begun>()
  return (
    <Dialog title="Set up two-factor authentication" onClose={onClose}>
      {begun ? (
        <ConfirmForm begun={begun} onClose={onClose} />
      ) : (
        <PasswordStep
          action="Continue"
          onClose={onClose}
          act={async (password) => setBegun(await send(api.POST('/me/second-factor', { body: { password } })))}
        />
      )}
    </Dialog>
  )
}

function EndDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog
      title="Turn off two-factor authentication"
      about="After this, your password alone is enough to sign in."
      onClose={onClose}
    >
      <PasswordStep
        action="Turn off"
        onClose={onClose}
        act={async (password) => {
          await send(api.POST('/me/second-factor/end', { body: { password } }))
          await readMeAgain()
          showToast('Two-factor authentication is off')
          onClose()
        }}
      />
    </Dialog>
  )
}

interface PasswordStepProps {
  action: string
  act: (password: string) => Promise<void>
  onClose: () => void
}

function PasswordStep({ action, act, onClose }: PasswordStepProps) {
  const [password, setPassword] = useState('')
  return (
    <Form act={async () => act(password)} action={action} onClose={onClose}>
      <CurrentPassword label="Your password" value={password} onChange={setPassword} />
    </Form>
  )
}

function ConfirmForm({ begun: { uri, backupCodes }, onClose }: { begun: Begun; onClose: () => void }) {
  const [code, setCode] = useState('')
  const act = async () => {
    await send(api.POST('/me/second-factor/confirm', { body: { code: code.trim() } }))
    await readMeAgain()
    showToast('Two-factor authentication is on')
    onClose()
  }
  const secret = URL.parse(uri)?.searchParams.get('secret') ?? ''
  return (
    <Form act={act} action="Turn on" onClose={onClose}>
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
