import { ArrowDown, ArrowUp, ChevronLeft, ChevronRight } from 'lucide-react'
import { useMemo, useState, type ReactNode } from 'react'
import { formatCount } from '../../lib/format.ts'
import { orderRows, type SortValue } from '../../lib/order-rows.ts'
import { Button } from '../control/button.tsx'
import './table.css'

export interface Column<Row> {
  title: string
  cell: (row: Row) => ReactNode
  /** Makes the column sortable. */
  sortBy?: (row: Row) => SortValue
  /** main: the name, which heads the card on a phone; number: right-aligned; actions: buttons at the end of the row, without a visible title. */
  kind?: 'main' | 'number' | 'actions'
  /** Hidden when the table is narrow. */
  isMinor?: boolean
}

interface TableProps<Row> {
  /** Names the table for screen readers. */
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  /** A sentence to show when there are no rows. */
  none?: ReactNode
  /** Title of the column to sort by at first. Without it, rows keep their order. */
  sortedBy?: string
  isDescending?: boolean
}

/** Longer tables are split into pages, so that thousands of rows render as fast as a hundred. */
const PAGE = 100

export function Table<Row>({ label, columns, rows, keyOf, none, sortedBy, isDescending = false }: TableProps<Row>) {
  const [sort, setSort] = useState({ title: sortedBy, isDescending })
  const [page, setPage] = useState(0)
  const sorted = useMemo(() => {
    const valueOf = columns.find(({ title }) => title === sort.title)?.sortBy
    return valueOf ? orderRows(rows, valueOf, sort.isDescending) : rows
  }, [columns, rows, sort])
  const last = Math.max(Math.ceil(sorted.length / PAGE) - 1, 0)
  const current = Math.min(page, last)
  const shown = sorted.slice(current * PAGE, (current + 1) * PAGE)

  function sortBy(title: string): void {
    setSort({ title, isDescending: sort.title === title && !sort.isDescending })
    setPage(0)
  }

  return (
    <div className="table-frame card">
      {/* On a phone, rows become cards and lose their built-in roles, so the roles are explicit. */}
      <table className="table" role="table" aria-label={label} aria-rowcount={sorted.length + 1}>
        <thead role="rowgroup">
          <tr role="row" aria-rowindex={1}>
            {columns.map((column) => (
              <Head key={column.title} column={column} sort={sort} onSort={() => sortBy(column.title)} />
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {shown.map((row, index) => (
            <tr key={keyOf(row)} role="row" aria-rowindex={current * PAGE + index + 2}>
              {columns.map((column) => (
                <Cell key={column.title} column={column} row={row} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length === 0 && <p className="table-none">{none}</p>}
      {last > 0 && <Pager page={current} last={last} count={sorted.length} onPage={setPage} />}
    </div>
  )
}

interface HeadProps<Row> {
  column: Column<Row>
  sort: { title: string | undefined; isDescending: boolean }
  onSort: () => void
}

function Head<Row>({ column, sort, onSort }: HeadProps<Row>) {
  const isSorted = sort.title === column.title
  const Arrow = sort.isDescending ? ArrowDown : ArrowUp
  return (
    <th
      role="columnheader"
      scope="col"
      className={classOf(column)}
      aria-sort={isSorted ? (sort.isDescending ? 'descending' : 'ascending') : undefined}
    >
      {column.sortBy ? (
        <button type="button" className="table-sort" onClick={onSort}>
          {column.title}
          {isSorted ? <Arrow size={14} aria-hidden /> : <span className="table-arrow" aria-hidden />}
        </button>
      ) : (
        <span className={column.kind === 'actions' ? 'unseen' : ''}>{column.title}</span>
      )}
    </th>
  )
}

function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  return (
    <td role="cell" className={classOf(column)} data-title={column.title}>
      {column.cell(row)}
    </td>
  )
}

function classOf<Row>({ kind, isMinor = false }: Column<Row>): string {
  return `table-${kind ?? 'usual'} ${isMinor ? 'table-minor' : ''}`
}

interface PagerProps {
  page: number
  last: number
  count: number
  onPage: (page: number) => void
}

function Pager({ page, last, count, onPage }: PagerProps) {
  const first = page * PAGE + 1
  return (
    <nav className="table-pager" aria-label="Pages">
      <span className="soft numbers" aria-live="polite">
        {formatCount(first)}–{formatCount(Math.min(first + PAGE - 1, count))} of {formatCount(count)}
      </span>
      <Button
        size="small"
        icon={ChevronLeft}
        aria-label="Previous page"
        disabled={page === 0}
        onClick={() => onPage(page - 1)}
      />
      <Button
        size="small"
        icon={ChevronRight}
        aria-label="Next page"
        disabled={page === last}
        onClick={() => onPage(page + 1)}
      />
    </nav>
  )
}
