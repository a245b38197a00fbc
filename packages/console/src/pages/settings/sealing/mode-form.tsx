import { useState } from 'react'
import { api, send, type Shapes } from '../../../api/client.ts'
import { plural } from '../../../lib/format.ts'
import { useSubmit } from '../../../lib/use-submit.ts'
import { Button } from '../../../parts/control/button.tsx'
import { Problem } from '../../../parts/feedback/states.tsx'
import { showToast } from '../../../parts/feedback/toasts.tsx'
import { useSession } from '../../../session/session.ts'
import { useChange } from '../../../session/use-change.ts'
import { countUnapproved } from './describe-sealing.ts'

type Sealing = Shapes['Sealing']
type Mode = Shapes['SealingMode']

const MODES: Record<Mode, { title: string; about: string }> = {
  off: {
    title: 'Off',
    about: 'Only plain requests work. They pass through the gateway’s memory, and are stored nowhere.',
  },
  optional: { title: 'Optional', about: 'Plain and sealed requests work. Choose this while you move your apps.' },
  required: {
    title: 'Required',
    about: 'Only sealed requests work. Plain ones get a 403, and the playground is off.',
  },
}
const SAVED: Record<Mode, string> = {
  off: 'Sealed requests are off',
  optional: 'Sealed requests are optional',
  required: 'Sealed requests are required',
}

/** Off, optional or required. Members only see which. */
export function ModeForm({ sealing }: { sealing: Sealing }) {
  const { isAdmin } = useSession()
  const [mode, setMode] = useState(sealing.mode)
  const { mutateAsync } = useChange(['organization'], async (path) =>
    send(api.PATCH('/organizations/{organization}/sealing', { params: { path }, body: { mode } })),
  )
  const { submit, isBusy, failure } = useSubmit(async () => {
    await mutateAsync()
    showToast(SAVED[mode])
  })
  const isChanged = mode !== sealing.mode
  return (
    <form className="card card-body stack" onSubmit={submit}>
      <Choices sealing={sealing} mode={mode} onMode={setMode} />
      {isChanged && mode === 'required' && <Consequence unapproved={countUnapproved(sealing)} />}
      {failure !== undefined && <Problem error={failure} />}
      {isAdmin && (
        <div>
          <Button type="submit" kind="primary" isBusy={isBusy} disabled={!isChanged}>
            Save
          </Button>
        </div>
      )}
    </form>
  )
}

interface ChoicesProps {
  sealing: Sealing
  mode: Mode
  onMode: (mode: Mode) => void
}

function Choices({ sealing, mode, onMode }: ChoicesProps) {
  const { isAdmin } = useSession()
  return (
    <fieldset className="settings-choices">
      <legend>What this organization accepts</legend>
      {sealing.seal === null && <p className="soft small">Add your seal first.</p>}
      {(Object.keys(MODES) as Mode[]).map((one) => (
        <label key={one} className="settings-choice">
          <input
            type="radio"
            name="sealing-mode"
            aria-labelledby={`sealing-${one}`}
            aria-describedby={`sealing-${one}-about`}
            checked={mode === one}
            disabled={!isAdmin || (sealing.seal === null && one !== 'off')}
            onChange={() => onMode(one)}
          />
          <span>
            <span id={`sealing-${one}`} className="settings-choice-title">
              {MODES[one].title}
            </span>
            <span id={`sealing-${one}-about`} className="soft small">
              {MODES[one].about}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

function Consequence({ unapproved }: { unapproved: number }) {
  return (
    <p className="settings-warning" role="note">
      Apps that don't use hearth-seal stop working as soon as you save.
      {unapproved > 0 && ` ${plural(unapproved, 'device')} can't answer until approved.`}
    </p>
  )
}
