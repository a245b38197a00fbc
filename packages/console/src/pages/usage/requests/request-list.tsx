import { Download, RotateCw } from 'lucide-react'
import { useEffect, useMemo, useRef } from 'react'
import { Button } from '../../../parts/control/button.tsx'
import { Loaded } from '../../../parts/feedback/states.tsx'
import { VirtualTable } from '../../../parts/table/virtual-table.tsx'
import type { Range } from '../range.ts'
import { REQUEST_COLUMNS } from './request-columns.tsx'
import { RequestFilters, type RequestFilter } from './request-filters.tsx'
import { useRequestExport } from './use-request-export.ts'
import { useRequestRows } from './use-request-rows.ts'

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
