import { useState } from 'react'
import type { Schemas } from '../../../api/client.ts'
import { useQuery } from '@tanstack/react-query'
import { organizationApi } from '../../../api/organization-api.ts'
import { plural } from '../../../lib/format.ts'
import { showOddCharacters } from '../../../lib/odd-characters.ts'
import { Choices } from '../../../parts/control/choices.tsx'
import { ConfirmDialog } from '../../../parts/dialog/confirm-dialog.tsx'
import { Form } from '../../../parts/dialog/form.tsx'
import { showToast } from '../../../parts/feedback/toasts.tsx'
import { useSession } from '../../../session/session.ts'
import { useChange } from '../../../session/use-change.ts'
import { countUnapproved } from './describe-sealing.ts'

type Sealing = Schemas['Sealing']
type Mode = Schemas['SealingMode']

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
/** Off, optional or required. Members only see which. */
export function ModeForm({ sealing }: { sealing: Sealing }) {
  const { isAdmin } = useSession()
  const [mode, setMode] = useState(sealing.mode)
  const [isAsking, setAsking] = useState(false)
  const { mutateAsync } = useChange(['organization'], async (own) => own.patch('/sealing', { body: { mode } }))
  const save = async () => {
    await mutateAsync()
    showToast(`Sealed requests are ${mode}`)
  }
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
          act={save}
        >
          {mode === 'required' ? (
            <Requiring unapproved={countUnapproved(sealing)} />
          ) : (
            <>
              {mode === 'off' && <p>Apps that use hearth-seal stop working as soon as you confirm.</p>}
              <p>Plain requests work, which pass through the gateway’s memory.</p>
            </>
          )}
        </ConfirmDialog>
      )}
    </>
  )
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

const WEEK_MS = 7 * 86_400_000
const MOST_AT_ONCE = 1_000

/** What stops working, with the keys that it will stop for. */
function Requiring({ unapproved }: { unapproved: number }) {
  const { organization } = useSession()
  const { data } = useQuery({
    queryKey: [organization.id, 'plain-keys'],
    queryFn: async ({ signal }) => {
      const from = new Date(Date.now() - WEEK_MS).toISOString()
      const query = { from, result: 'answered', limit: MOST_AT_ONCE }
      const { requests, next } = await organizationApi(organization.id, signal).get('/requests', { query })
      const keys = requests.filter(({ isSealed }) => !isSealed).map(({ key }) => [key.id, key.name] as const)
      return { names: [...new Map(keys).values()], isAll: next === null }
    },
  })
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

const MOST_NAMED = 5

function listSome(names: readonly string[]): string {
  const rest = names.length - MOST_NAMED
  return showOddCharacters(`${names.slice(0, MOST_NAMED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`)
}
