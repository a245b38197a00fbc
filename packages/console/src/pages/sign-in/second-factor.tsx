import { useState } from 'react'
import { api, send } from '../../api/client.ts'
import { readMeAgain } from '../../api/changes.ts'
import { useSubmit } from '../../lib/use-submit.ts'
import { Button } from '../../parts/control/button.tsx'
import { TextField } from '../../parts/control/field.tsx'
import { Problem } from '../../parts/feedback/states.tsx'

export function SecondFactor({ onBack }: { onBack: () => void }) {
  const [code, setCode] = useState('')
  const [isBackupCode, setBackupCode] = useState(false)
  const { submit, isBusy, failure } = useSubmit(async () => {
    await send(api.POST('/sign-in/second-factor', { body: { code: code.trim(), isBackupCode } }))
    await readMeAgain()
  })
  return (
    <form className="stack" onSubmit={submit}>
      <h1>Two-factor authentication</h1>
      <TextField
        key={String(isBackupCode)}
        label={isBackupCode ? 'Backup code' : 'Code from your authenticator app'}
        inputMode={isBackupCode ? 'text' : 'numeric'}
        autoComplete="one-time-code"
        autoFocus
        required
        value={code}
        onChange={(event) => setCode(event.target.value)}
      />
      {failure !== undefined && <Problem error={failure} />}
      <Button type="submit" kind="primary" isBusy={isBusy}>
        Continue
      </Button>
      <div className="row">
        <Button kind="quiet" size="small" onClick={() => setBackupCode(!isBackupCode)}>
          {isBackupCode ? 'Use the app instead' : 'Use a backup code instead'}
        </Button>
        <Button kind="quiet" size="small" onClick={onBack}>
          Back
        </Button>
      </div>
    </form>
  )
}
