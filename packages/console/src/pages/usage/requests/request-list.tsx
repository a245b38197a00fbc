import { useInfiniteQuery } from '@tanstack/react-query'
import { Download, RotateCw } from 'lucide-react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { organizationApi } from '../../../api/organization-api.ts'
import { Button } from '../../../parts/control/button.tsx'
import { Loaded } from '../../../parts/feedback/states.tsx'
import { VirtualTable } from '../../../parts/table/virtual-table.tsx'
import { useSession } from '../../../session/session.ts'
import type { Range } from '../range.ts'
import { REQUEST_COLUMNS } from './request-columns.tsx'
import { RequestFilters, type RequestFilter } from './request-filters.tsx'
import type { Schemas } from '../../../api/client.ts'
import { formatCount } from '../../../lib/format.ts'
import { showProblem } from '../../../parts/feedback/toasts.tsx'
import { downloadCsv, makeRequestCsv } from '../make-csv.ts'

const PAGE = 200
const EXPORT_PAGE = 1_000
const REFETCH_MS = 5_000
/** Rows before the end at which the next page is fetched. */
const AHEAD = 60

interface RequestListProps {
  filter: RequestFilter
  onFilter: (filter: RequestFilter) => void
  range: Range
  /** Someone came to the page for these requests. */
  isLinked: boolean
}

/** The latest requests one by one, without any content. */
export function RequestList({ filter, onFilter, range, isLinked }: RequestListProps) {
  const filters = useMemo(
    () => ({ ...filter, from: range.from.toISOString(), to: range.to.toISOString() }),
    [filter, range],
  )
  const { query, rows, onShow } = useRequestRows(filters)
  const { save, saved, isSaving } = useRequestExport(filters)
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    if (isLinked) section.current?.scrollIntoView()
  }, [isLinked])
  return (
    <section ref={section} id="requests" className="stack-small mt-10">
      <header className="bar">
        <div>
          <h2>Requests</h2>
          <p className="text-soft">
            The latest 100,000 at most. Times and sizes only, never prompts or responses. If a request asks for n
            choices, its tokens here are those of all, and usage in its reply those of one.
          </p>
        </div>
        <div className="row">
          <Button icon={RotateCw} onClick={() => void query.refetch()}>
            Refresh
          </Button>
          <Button icon={Download} isBusy={isSaving} disabled={rows.length === 0} onClick={save}>
            {isSaving ? `Exporting ${saved}` : 'Export requests'}
          </Button>
        </div>
      </header>
      <RequestFilters filter={filter} onFilter={onFilter} />
      <Loaded query={query}>
        {() => (
          <VirtualTable
            key={JSON.stringify(filters)}
            label="Requests"
            isCompact
            columns={REQUEST_COLUMNS}
            count={rows.length + (query.hasNextPage ? 1 : 0)}
            rowAt={(index) => rows[index]}
            keyOf={({ number }) => String(number)}
            onShow={onShow}
            none="No requests match these filters."
          />
        )}
      </Loaded>
    </section>
  )
}

/** Fetches the next page shortly before someone scrolls to its first row. */
function useRequestRows(filters: RequestFilter) {
  const { organization } = useSession()
  const query = useInfiniteQuery({
    queryKey: [organization.id, 'requests', filters],
    queryFn: async ({ signal, pageParam }) => readRequests(organization.id, filters, pageParam, PAGE, signal),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
    // Someone who looks further down is not disturbed: every page would be fetched again.
    refetchInterval: ({ state }) => (state.data && state.data.pages.length > 1 ? false : REFETCH_MS),
  })
  const { data, fetchNextPage, hasNextPage, isFetchingNextPage } = query
  const rows = useMemo(() => data?.pages.flatMap(({ requests }) => requests) ?? [], [data])
  const onShow = useCallback(
    (_first: number, end: number) => {
      if (end > rows.length - AHEAD && hasNextPage && !isFetchingNextPage) void fetchNextPage()
    },
    [rows.length, hasNextPage, isFetchingNextPage, fetchNextPage],
  )
  return { query, rows, onShow }
}

async function readRequests(
  organization: string,
  filter: RequestFilter,
  before: number | null,
  limit: number,
  signal?: AbortSignal,
) {
  const query = { ...filter, limit, ...(before !== null && { before }) }
  return organizationApi(organization, signal).get('/requests', { query })
}

/** Saves all requests that match, not only those on the screen. */
function useRequestExport(filter: RequestFilter) {
  const { organization } = useSession()
  const [count, setCount] = useState<number>()

  async function run(): Promise<void> {
    const rows: Schemas['Request'][] = []
    let before: number | null = null
    do {
      const { requests, next } = await readRequests(organization.id, filter, before, EXPORT_PAGE)
      rows.push(...requests)
      setCount(rows.length)
      before = next
    } while (before !== null)
    downloadCsv(`requests-${new Date().toISOString().slice(0, 10)}.csv`, makeRequestCsv(rows))
  }

  function save(): void {
    setCount(0)
    run()
      .catch(showProblem)
      .finally(() => setCount(undefined))
  }

  return { save, isSaving: count !== undefined, saved: formatCount(count ?? 0) }
}
