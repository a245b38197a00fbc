import { Link } from '@tanstack/react-router'
import { RotateCw } from 'lucide-react'
import { useState, useMemo } from 'react'
import type { Schemas } from '../../api/client.ts'
import { Button } from '../../parts/control/button.tsx'
import { Dialog } from '../../parts/dialog/dialog.tsx'
import { Facts } from '../../parts/text/facts.tsx'
import { RelativeTime } from '../../parts/text/relative-time.tsx'
import { Name } from '../../parts/text/name.tsx'
import { KeyState } from './key-columns.tsx'
import type { NewSecret } from './new-key-dialog.tsx'
import { DialogButton } from '../../parts/dialog/dialog-button.tsx'
import { RevokeDialog } from './revoke-dialog.tsx'
import { RotateDialog } from './rotate-dialog.tsx'
import { useKeyChanges } from './use-key-changes.ts'
import { Loaded, Skeleton } from '../../parts/feedback/states.tsx'
import { Form } from '../../parts/dialog/form.tsx'
import { KeyFields } from './key-fields.tsx'
import { describeChange, formOf, isComplete } from './key-form.ts'
import { formatCount, plural } from '../../lib/format.ts'
import { useNow } from '../../lib/now.ts'
import { DayBars, type DayBar } from '../../parts/chart/day-bars.tsx'
import { BudgetLine, useBudget } from '../../session/budget.tsx'
import { useRead } from '../../session/use-read.ts'

type Key = Schemas['Key']

interface SheetProps {
  apiKey: Key
  onClose: () => void
  onRotated: (secret: NewSecret) => void
}

/** Everything about one key: its use, its settings, and what can be done with it. */
export function KeySheet({ apiKey, onClose, onRotated }: SheetProps) {
  const { createdBy, isYours, createdAt, lastUsedAt, expiresAt } = apiKey
  const { endPrevious, isBusy } = useKeyChanges(apiKey)
  const isOver = apiKey.state === 'revoked'
  return (
    <Dialog shape="sheet" title={<Name text={apiKey.name} />} onClose={onClose}>
      <div className="row">
        <code className="text-soft">…{apiKey.hint}</code>
        <KeyState apiKey={apiKey} />
      </div>
      {apiKey.state !== 'active' && <p className="text-soft">{ADVICE[apiKey.state]}</p>}
      {!isOver && <SheetActions apiKey={apiKey} onClose={onClose} onRotated={onRotated} />}
      {apiKey.previous && (
        <div className="flex flex-wrap items-center justify-between gap-x-10 gap-y-5 bg-sunken rounded p-7.5">
          <p>
            Old secret <code>…{apiKey.previous.hint}</code> stops working <RelativeTime at={apiKey.previous.endsAt} />.
          </p>
          <Button size="small" isBusy={isBusy} onClick={endPrevious}>
            Stop it now
          </Button>
        </div>
      )}
      <KeyUse apiKey={apiKey} />
      <Link to="/usage" search={{ open: apiKey.id }} onClick={onClose}>
        Show its requests
      </Link>
      <Facts
        facts={[
          ['Created by', isYours ? 'you' : <Name key="creator" text={createdBy.name} />],
          ['Created', <RelativeTime key="created" at={createdAt} />],
          ['Last used', <RelativeTime key="used" at={lastUsedAt} />],
          ['Expires', <RelativeTime key="expires" at={expiresAt} />],
        ]}
      />
      {!isOver && <KeySettings apiKey={apiKey} />}
    </Dialog>
  )
}

const ADVICE = {
  disabled: 'Requests with this key get a 401 until you enable it.',
  expired: 'Requests with this key get a 401. Give it a later expiration to use it again.',
  revoked: 'This key was revoked for good. Its usage stays visible.',
}

function SheetActions({ apiKey, onClose, onRotated }: SheetProps) {
  const { change, isBusy } = useKeyChanges(apiKey)
  const isDisabled = apiKey.state === 'disabled'
  const show = (secret: NewSecret) => {
    onClose()
    onRotated(secret)
  }
  return (
    <div className="row">
      <DialogButton
        icon={RotateCw}
        renderDialog={(close) => <RotateDialog apiKey={apiKey} onClose={close} onRotated={show} />}
      >
        Rotate…
      </DialogButton>
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
      <DialogButton renderDialog={(close) => <RevokeDialog keyToEnd={apiKey} onClose={close} />}>Revoke…</DialogButton>
    </div>
  )
}

/** Name, expiry, models and limits. They count from the next request on. */
function KeySettings({ apiKey }: { apiKey: Key }) {
  const saved = formOf(apiKey)
  const [form, setForm] = useState(saved)
  const { save } = useKeyChanges(apiKey)
  const isChanged = JSON.stringify(form) !== JSON.stringify(saved)
  return (
    <section className="stack-small">
      <h3>Settings</h3>
      <Form
        act={async () => setForm(formOf(await save(describeChange(form, Date.now()))))}
        action="Save changes"
        done="Key saved"
        disabled={!isChanged || !isComplete(form)}
        beside={isChanged && <Button onClick={() => setForm(saved)}>Discard</Button>}
      >
        <KeyFields form={form} onChange={setForm} apiKey={apiKey} />
      </Form>
    </section>
  )
}

const DAY_MS = 86_400_000
const DAYS = 30
const day = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', timeZone: 'UTC' })

/** The use of a key in the last 30 days, in UTC days. */
function KeyUse({ apiKey }: { apiKey: Key }) {
  const budget = useBudget('key', apiKey.id)
  const today = Math.floor(useNow() / DAY_MS)
  const filters = useMemo(() => {
    const [from, to] = [new Date((today - DAYS + 1) * DAY_MS), new Date((today + 1) * DAY_MS)]
    return { from: from.toISOString(), to: to.toISOString(), by: 'model', step: 'day', key: apiKey.id } as const
  }, [today, apiKey.id])
  const query = useRead('/usage', { query: filters })
  return (
    <section className="stack-small">
      <h3>Last 30 days</h3>
      <Loaded query={query} loading={<Skeleton lines={4} />}>
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

function barsOf(points: Schemas['Usage']['points'], today: number): DayBar[] {
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
