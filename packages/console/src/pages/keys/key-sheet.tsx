import { Link } from '@tanstack/react-router'
import { RotateCw } from 'lucide-react'
import { useState, useMemo } from 'react'
import type { Shapes } from '../../api/client.ts'
import { Button } from '../../parts/control/button.tsx'
import { Dialog } from '../../parts/dialog/dialog.tsx'
import { Facts } from '../../parts/text/facts.tsx'
import { Moment } from '../../parts/text/moment.tsx'
import { Name } from '../../parts/text/name.tsx'
import { KeyState } from './key-columns.tsx'
import type { NewSecret } from './new-key-dialog.tsx'
import { RevokeDialog } from './revoke-dialog.tsx'
import { RotateDialog } from './rotate-dialog.tsx'
import { useKeyChanges } from './use-key-changes.ts'
import { useSubmit } from '../../lib/use-submit.ts'
import { Problem, Loaded, Waiting } from '../../parts/feedback/states.tsx'
import { showToast } from '../../parts/feedback/toasts.tsx'
import { ExpiryField, LimitFields, NameField } from './key-fields.tsx'
import { describeChange, formOf, isComplete } from './key-form.ts'
import { ModelChoice } from './model-choice.tsx'
import { usage as usageQuery } from '../../api/queries/usage.ts'
import { formatCount, plural } from '../../lib/format.ts'
import { useNow } from '../../lib/now.ts'
import { DayBars, type DayBar } from '../../parts/chart/day-bars.tsx'
import { BudgetLine, useBudget } from '../../session/budget.tsx'
import { useRead } from '../../session/use-read.ts'

type Key = Shapes['Key']

interface SheetProps {
  apiKey: Key
  onClose: () => void
  onRotated: (secret: NewSecret) => void
}

/** Everything about one key: its use, its settings, and what can be done with it. */
export function KeySheet({ apiKey, onClose, onRotated }: SheetProps) {
  const { createdBy, isYours, createdAt, lastUsedAt, expiresAt } = apiKey
  const isOver = apiKey.state === 'revoked'
  return (
    <Dialog shape="sheet" title={<Name text={apiKey.name} />} onClose={onClose}>
      <div className="row">
        <code className="text-soft">…{apiKey.hint}</code>
        <KeyState apiKey={apiKey} />
      </div>
      <StateAdvice apiKey={apiKey} />
      {!isOver && <SheetActions apiKey={apiKey} onClose={onClose} onRotated={onRotated} />}
      {apiKey.previous && <OldSecret apiKey={apiKey} previous={apiKey.previous} />}
      <KeyUse apiKey={apiKey} />
      <Link to="/usage" search={{ open: apiKey.id }} onClick={onClose}>
        Show its requests
      </Link>
      <Facts
        facts={[
          ['Created by', isYours ? 'you' : <Name key="creator" text={createdBy.name} />],
          ['Created', <Moment key="created" at={createdAt} />],
          ['Last used', <Moment key="used" at={lastUsedAt} />],
          ['Expires', <Moment key="expires" at={expiresAt} />],
        ]}
      />
      {!isOver && <KeySettings apiKey={apiKey} />}
    </Dialog>
  )
}

function StateAdvice({ apiKey: { state } }: { apiKey: Key }) {
  if (state === 'active') return null
  const text = {
    disabled: 'Requests with this key get a 401 until you enable it.',
    expired: 'Requests with this key get a 401. Give it a later expiration to use it again.',
    revoked: 'This key was revoked for good. Its usage stays visible.',
  }[state]
  return <p className="text-soft">{text}</p>
}

function SheetActions({ apiKey, onClose, onRotated }: SheetProps) {
  const { change, isBusy } = useKeyChanges(apiKey)
  const [dialog, setDialog] = useState<'rotate' | 'revoke'>()
  const isDisabled = apiKey.state === 'disabled'
  return (
    <div className="row">
      <Button icon={RotateCw} onClick={() => setDialog('rotate')}>
        Rotate…
      </Button>
      {apiKey.state !== 'expired' && (
        <Button
          isBusy={isBusy}
          onClick={() =>
            change({ state: isDisabled ? 'active' : 'disabled' }, isDisabled ? 'Key enabled' : 'Key disabled')
          }
        >
          {isDisabled ? 'Enable' : 'Disable'}
        </Button>
      )}
      <Button onClick={() => setDialog('revoke')}>Revoke…</Button>
      {dialog === 'rotate' && (
        <RotateDialog
          apiKey={apiKey}
          onClose={() => setDialog(undefined)}
          onRotated={(secret) => {
            onClose()
            onRotated(secret)
          }}
        />
      )}
      {dialog === 'revoke' && <RevokeDialog keyToEnd={apiKey} onClose={() => setDialog(undefined)} />}
    </div>
  )
}

function OldSecret({ apiKey, previous }: { apiKey: Key; previous: NonNullable<Key['previous']> }) {
  const { endPrevious, isBusy } = useKeyChanges(apiKey)
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-10 gap-y-5 bg-sunken rounded p-7.5">
      <p>
        Old secret <code>…{previous.hint}</code> stops working <Moment at={previous.endsAt} />.
      </p>
      <Button size="small" isBusy={isBusy} onClick={endPrevious}>
        Stop it now
      </Button>
    </div>
  )
}

/** Name, expiry, models and limits. They count from the next request on. */
function KeySettings({ apiKey }: { apiKey: Shapes['Key'] }) {
  const saved = formOf(apiKey)
  const [form, setForm] = useState(saved)
  const { save } = useKeyChanges(apiKey)
  const { submit, isBusy, failure } = useSubmit(async () => {
    setForm(formOf(await save(describeChange(form, Date.now()))))
    showToast('Key saved')
  })
  const isChanged = JSON.stringify(form) !== JSON.stringify(saved)
  return (
    <section className="stack-small">
      <h3>Settings</h3>
      <form className="stack" onSubmit={submit}>
        <NameField form={form} onChange={setForm} />
        <ExpiryField form={form} onChange={setForm} current={apiKey.expiresAt} />
        <ModelChoice chosen={form.models} onChange={(models) => setForm({ ...form, models })} />
        <LimitFields form={form} onChange={setForm} isOpen />
        {failure !== undefined && <Problem error={failure} />}
        <div className="row">
          <Button type="submit" kind="primary" isBusy={isBusy} disabled={!isChanged || !isComplete(form)}>
            Save changes
          </Button>
          {isChanged && <Button onClick={() => setForm(saved)}>Discard</Button>}
        </div>
      </form>
    </section>
  )
}

const DAY_MS = 86_400_000
const DAYS = 30
const day = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', timeZone: 'UTC' })

/** The use of a key in the last 30 days, in UTC days. */
function KeyUse({ apiKey }: { apiKey: Shapes['Key'] }) {
  const budget = useBudget('key', apiKey.id)
  const today = Math.floor(useNow() / DAY_MS)
  const question = useMemo(() => {
    const [from, to] = [new Date((today - DAYS + 1) * DAY_MS), new Date((today + 1) * DAY_MS)]
    return { from: from.toISOString(), to: to.toISOString(), by: 'model', step: 'day', key: apiKey.id } as const
  }, [today, apiKey.id])
  const query = useRead(usageQuery, question)
  return (
    <section className="stack-small">
      <h3>Last 30 days</h3>
      <Loaded query={query} waiting={<Waiting lines={4} />}>
        {({ total, points }) => (
          <>
            <p className="text-soft tabular-nums">
              {plural(total.requests, 'request')} · {formatCount(total.errors)} failed ·{' '}
              {formatCount(total.promptTokens + total.completionTokens)} tokens
            </p>
            {budget && <BudgetLine budget={budget} />}
            <DayBars title="Requests per day" bars={barsOf(points, today)} />
          </>
        )}
      </Loaded>
    </section>
  )
}

function barsOf(points: Shapes['Usage']['points'], today: number): DayBar[] {
  const days = Map.groupBy(points, ({ at }) => Math.floor(Date.parse(at) / DAY_MS))
  return Array.from({ length: DAYS }, (_, index) => {
    const number = today - DAYS + 1 + index
    const own = days.get(number) ?? []
    const sum = (read: (point: (typeof points)[number]) => number) => own.reduce((all, one) => all + read(one), 0)
    return {
      label: day.format(number * DAY_MS),
      value: sum(({ requests }) => requests),
      bad: sum(({ errors }) => errors),
    }
  })
}
