import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, send } from '../../api/client.ts'
import { refetchMe } from '../../api/changes.ts'
import { hasBrowserPasskeys, signInWithPasskey } from '../../api/passkeys.ts'
import { signInOptions } from '../../api/person.ts'
import { Form } from '../../parts/dialog/form.tsx'
import { Button } from '../../parts/control/button.tsx'
import { TextField } from '../../parts/control/field.tsx'
import { Loaded, Problem } from '../../parts/feedback/states.tsx'
import { Splash } from '../../parts/frame/splash.tsx'
import { Or, ProviderButton } from './provider-button.tsx'

interface SignInProps {
  /** A session has just ended. */
  hasEnded?: boolean
  /** Why an earlier attempt failed. */
  problem?: Error
}

export function SignIn({ hasEnded = false, problem }: SignInProps) {
  const options = useQuery(signInOptions)
  const [needsCode, setNeedsCode] = useState(false)
  return (
    <Splash title="Sign in">
      <div className="card card-body stack">
        <Loaded query={options} loading={<span className="min-h-150" />}>
          {({ isSetUp, hasPassword, hasPasskeys, provider }) => {
            if (!isSetUp)
              return (
                <>
                  <h1>Welcome to Hearth</h1>
                  <p className="text-soft">
                    This gateway is not set up yet. It printed a setup link when it started. Open that link to create
                    the owner account.
                  </p>
                  <OpenHint />
                </>
              )
            if (needsCode) return <SecondFactor onBack={() => setNeedsCode(false)} />
            return (
              <>
                <h1>Sign in</h1>
                {hasEnded && (
                  <p className="text-soft">Your session has ended. Sign in to pick up where you left off.</p>
                )}
                {problem && <Problem error={problem} />}
                {hasPassword && <PasswordForm onCode={() => setNeedsCode(true)} />}
                {hasPassword && (hasPasskeys || provider) && <Or />}
                {hasPasskeys && hasBrowserPasskeys() && (
                  <Form
                    act={async () => signInWithPasskey().then(refetchMe)}
                    action="Use a passkey"
                    kind="plain"
                    isWide
                  />
                )}
                {provider && <ProviderButton name={provider.name} />}
                <OpenHint />
              </>
            )
          }}
        </Loaded>
      </div>
    </Splash>
  )
}

function PasswordForm({ onCode }: { onCode: () => void }) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const act = async () => {
    const { next } = await send(api.POST('/sign-in', { body: { email: email.trim(), password } }))
    if (next === 'second-factor') onCode()
    else await refetchMe()
  }
  return (
    <Form act={act} action="Sign in" isWide>
      <TextField label="Email" type="email" autoComplete="username" required value={email} onText={setEmail} />
      <TextField
        label="Password"
        type="password"
        autoComplete="current-password"
        required
        value={password}
        onText={setPassword}
      />
    </Form>
  )
}

/** Its link makes the first person the owner. */
function OpenHint() {
  return (
    <p className="text-soft text-small">
      First visit? Run <code>hearth open</code> on the machine that runs Hearth.
    </p>
  )
}

function SecondFactor({ onBack }: { onBack: () => void }) {
  const [code, setCode] = useState('')
  const [isBackupCode, setBackupCode] = useState(false)
  const act = async () => {
    await send(api.POST('/sign-in/second-factor', { body: { code: code.trim(), isBackupCode } }))
    await refetchMe()
  }
  return (
    <Form
      act={act}
      action="Continue"
      isWide
      after={
        <div className="row">
          <Button kind="quiet" size="small" onClick={() => setBackupCode(!isBackupCode)}>
            {isBackupCode ? 'Use the app instead' : 'Use a backup code instead'}
          </Button>
          <Button kind="quiet" size="small" onClick={onBack}>
            Back
          </Button>
        </div>
      }
    >
      <h1>Two-factor authentication</h1>
      <TextField
        key={String(isBackupCode)}
        label={isBackupCode ? 'Backup code' : 'Code from your authenticator app'}
        inputMode={isBackupCode ? 'text' : 'numeric'}
        autoComplete="one-time-code"
        autoFocus
        required
        value={code}
        onText={setCode}
      />
    </Form>
  )
}
