import { useInfiniteQuery } from '@tanstack/react-query'
import { ScrollText, ShieldAlert } from 'lucide-react'
import type { Shapes } from '../../api/client.ts'
import { audit as auditQuery } from '../../api/queries/organization.ts'
import { useListSearch } from '../../lib/list-search.ts'
import { filterRows } from '../../lib/order-rows.ts'
import { Badge } from '../../parts/text/badge.tsx'
import { Button } from '../../parts/control/button.tsx'
import { FilterBar } from '../../parts/control/filter-bar.tsx'
import { Moment } from '../../parts/text/moment.tsx'
import { Name } from '../../parts/text/name.tsx'
import { Page } from '../../parts/frame/page.tsx'
import { Empty, Failed, Waiting } from '../../parts/feedback/states.tsx'
import type { Column } from '../../parts/table/column.ts'
import { Table } from '../../parts/table/table.tsx'
import { useSession } from '../../session/session.ts'
import { describeEntry, listChanges } from './describe-entry.ts'

type Entry = Shapes['AuditEntry']

export function AuditPage() {
  const { isAdmin } = useSession()
  return (
    <Page title="Audit log" about="Who changed what, newest first. It never contains prompts, responses or secrets.">
      {isAdmin ? (
        <AuditLog />
      ) : (
        <Empty icon={ShieldAlert} title="Only admins can read the audit log">
          Ask an owner or admin of your organization.
        </Empty>
      )}
    </Page>
  )
}

function AuditLog() {
  const { organization } = useSession()
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    auditQuery(organization.id),
  )
  const { filter, slowFilter, setFilter } = useListSearch()
  if (!data) return error ? <Failed error={error} onRetry={() => void refetch()} /> : <Waiting lines={10} />
  const entries = data.pages.flatMap((page) => page.entries)
  if (entries.length === 0)
    return (
      <Empty icon={ScrollText} title="No entries yet">
        Every change to models, devices, keys and members is recorded here.
      </Empty>
    )
  return (
    <>
      <FilterBar label="Filter loaded entries" value={filter} onChange={setFilter} />
      <Table
        label="Audit log"
        columns={COLUMNS}
        rows={filterRows(entries, slowFilter, textOf)}
        keyOf={({ id }) => id}
        none="No loaded entry matches this filter."
      />
      {hasNextPage && (
        <div className="grid justify-center">
          <Button isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Load older entries
          </Button>
        </div>
      )}
    </>
  )
}

/** Changes from the command line carry no person's name. */
function nameOf({ kind, name }: Entry['actor']): string {
  return kind === 'operator' ? 'Operator' : name
}

function textOf(entry: Entry): string {
  const { verb, object, device = '' } = describeEntry(entry)
  return [nameOf(entry.actor), verb, entry.action, entry.object.name, object, device, entry.address ?? ''].join(' ')
}

const COLUMNS: readonly Column<Entry>[] = [
  { title: 'Event', kind: 'main', cell: (entry) => <Sentence entry={entry} /> },
  { title: 'Time', cell: ({ at }) => <Moment at={at} /> },
  {
    title: 'Source',
    isMinor: true,
    cell: ({ actor, address }) =>
      address === null ? (
        <span className="text-soft">{actor.kind === 'operator' ? 'command line' : '–'}</span>
      ) : (
        <Name text={address} />
      ),
  },
]

function Sentence({ entry }: { entry: Entry }) {
  const changes = listChanges(entry)
  const { verb, object, device } = describeEntry(entry)
  return (
    <div className="audit-entry grid gap-1.5">
      <p>
        <Name text={nameOf(entry.actor)} isStrong /> {verb} {object !== '' && <Name text={object} isStrong />}{' '}
        {device !== undefined && (
          <>
            on <Name text={device} isStrong />{' '}
          </>
        )}
        {entry.isRefused && <Badge tone="bad">Denied</Badge>}
      </p>
      {changes.length > 0 && (
        <ul className="flex flex-wrap gap-x-10 gap-y-1 text-small text-soft">
          {changes.map(({ name, before, after }) => (
            <li key={name}>
              <span className="text-faint">{name}</span> {before !== undefined && <Name text={before} />}
              {before !== undefined && after !== undefined && ' → '}
              {after !== undefined && <Name text={after} />}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
