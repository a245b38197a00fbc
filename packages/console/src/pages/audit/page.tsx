import { useInfiniteQuery } from '@tanstack/react-query'
import { ScrollText, ShieldAlert } from 'lucide-react'
import type { Schemas } from '../../api/client.ts'
import { organizationApi } from '../../api/organization-api.ts'
import { Badge } from '../../parts/text/badge.tsx'
import { Button } from '../../parts/control/button.tsx'
import { RelativeTime } from '../../parts/text/relative-time.tsx'
import { Name } from '../../parts/text/name.tsx'
import { Page } from '../../parts/frame/page.tsx'
import { Empty, Failed, Skeleton } from '../../parts/feedback/states.tsx'
import type { Column } from '../../parts/table/column.ts'
import { FilteredTable } from '../../parts/table/filtered-table.tsx'
import { useSession } from '../../session/session.ts'
import { describeEntry, listChanges } from './describe-entry.ts'

type Entry = Schemas['AuditEntry']

const PAGE = 50

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
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: [organization.id, 'audit'],
    queryFn: async ({ signal, pageParam }) => {
      const query = { limit: PAGE, ...(pageParam !== null && { before: pageParam }) }
      return organizationApi(organization.id, signal).get('/audit', { query })
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  })
  if (!data) return error ? <Failed error={error} onRetry={() => void refetch()} /> : <Skeleton lines={10} />
  const entries = data.pages.flatMap((page) => page.entries)
  if (entries.length === 0)
    return (
      <Empty icon={ScrollText} title="No entries yet">
        Every change to models, devices, keys and members is recorded here.
      </Empty>
    )
  return (
    <>
      <FilteredTable
        label="Audit log"
        filter="Filter loaded entries"
        textOf={textOf}
        columns={COLUMNS}
        rows={entries}
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
  { title: 'Event', kind: 'main', className: 'max-w-none w-[70%]', cell: (entry) => <Sentence entry={entry} /> },
  { title: 'Time', cell: ({ at }) => <RelativeTime at={at} /> },
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
    <div className="grid gap-1.5">
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
