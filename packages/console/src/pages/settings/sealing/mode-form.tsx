import { useState } from 'react'
import type { Shapes } from '../../../api/client.ts'
import { plainKeys } from '../../../api/queries/requests.ts'
import { plural } from '../../../lib/format.ts'
import { showOddCharacters } from '../../../lib/odd-characters.ts'
import { Choices } from '../../../parts/control/choices.tsx'
import { ConfirmDialog } from '../../../parts/dialog/confirm-dialog.tsx'
import { Form } from '../../../parts/dialog/form.tsx'
import { showToast } from '../../../parts/feedback/toasts.tsx'
import { useSession } from '../../../session/session.ts'
import { useRead } from '../../../session/use-read.ts'
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
const CHOICES = Object.entries(MODES) as [Mode, (typeof MODES)[Mode]][]
const SAVED: Record<Mode, string> = {
  off: 'Sealed requests are off',
  optional: 'Sealed requests are optional',
  required: 'Sealed requests are required',
}

/** Off, optional or required. Members only see which. */
export function ModeForm({ sealing }: { sealing: Sealing }) {
  const { isAdmin } = useSession()
  const [mode, setMode] = useState(sealing.mode)
  const [isAsking, setAsking] = useState(false)
  const save = useSave(mode)
  if (!isAdmin) return <ModeState mode={sealing.mode} />
  // Only from Off to Optional nothing stops working, and no promise ends.
  const isHarmless = sealing.mode === 'off' && mode === 'optional'
  return (
    <>
      <Form
        className="card card-body stack"
        act={async () => (isHarmless ? save() : setAsking(true))}
        action={isHarmless ? 'Save' : 'Save…'}
        disabled={mode === sealing.mode}
      >
        <Choices legend="What this organization accepts" value={mode} onChange={setMode} choices={CHOICES} />
      </Form>
      {isAsking && (
        <ConfirmDialog
          title={`Turn sealed requests from ${MODES[sealing.mode].title} to ${MODES[mode].title}?`}
          action={`Change to ${MODES[mode].title}`}
          onClose={() => setAsking(false)}
          onConfirm={save}
        >
          {mode === 'required' ? (
            <Requiring unapproved={countUnapproved(sealing)} />
          ) : (
            <Allowing isOff={mode === 'off'} />
          )}
        </ConfirmDialog>
      )}
    </>
  )
}

function useSave(mode: Mode): () => Promise<void> {
  const { mutateAsync } = useChange(['organization'], async (own) => own.patch('/sealing', { body: { mode } }))
  return async () => {
    await mutateAsync()
    showToast(SAVED[mode])
  }
}

export function ModeState({ mode }: { mode: Mode }) {
  return (
    <p className="card card-body">
      <span>
        <strong>{MODES[mode].title}.</strong> {MODES[mode].about}
      </span>
    </p>
  )
}

/** What stops working, with the keys that it will stop for. */
function Requiring({ unapproved }: { unapproved: number }) {
  const { data } = useRead(plainKeys)
  return (
    <>
      <p>Apps that don't use hearth-seal get a 403 as soon as you confirm, and the playground is off.</p>
      {data && (
        <p>
          {data.names.length === 0
            ? 'No key sent a plain request in the last seven days.'
            : `In the last seven days, ${data.isAll ? '' : 'at least '}${plural(data.names.length, 'key')} sent plain requests: ${listSome(data.names)}.`}
        </p>
      )}
      {unapproved > 0 && <p>{plural(unapproved, 'device')} can't answer until approved.</p>}
    </>
  )
}

function Allowing({ isOff }: { isOff: boolean }) {
  return (
    <>
      {isOff && <p>Apps that use hearth-seal stop working as soon as you confirm.</p>}
      <p>Plain requests work, which pass through the gateway’s memory.</p>
    </>
  )
}

const MOST_NAMED = 5

function listSome(names: readonly string[]): string {
  const rest = names.length - MOST_NAMED
  return showOddCharacters(`${names.slice(0, MOST_NAMED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`)
}
