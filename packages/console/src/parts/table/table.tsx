import { useMemo, useState, type ReactNode } from 'react'
import { orderRows } from '../../lib/order-rows.ts'
import { Cell, HeadCell } from './cells.tsx'
import type { Column } from './column.ts'
import { Pager } from './pager.tsx'

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
  const [page, setPage] = useState(0)
  const { sorted, directionOf, sortBy } = useSort(columns, rows, { title: sortedBy, isDescending })
  const last = Math.max(Math.ceil(sorted.length / PAGE) - 1, 0)
  const current = Math.min(page, last)
  const shown = sorted.slice(current * PAGE, (current + 1) * PAGE)
  const sortFromStart = (title: string) => {
    sortBy(title)
    setPage(0)
  }
  return (
    <div className="card overflow-hidden @container">
      <table className="data-table" role="table" aria-label={label} aria-rowcount={sorted.length + 1}>
        <thead role="rowgroup">
          <tr role="row" aria-rowindex={1}>
            {columns.map((column) => (
              <HeadCell
                key={column.title}
                column={column}
                direction={directionOf(column.title)}
                onSort={column.sortBy && (() => sortFromStart(column.title))}
              />
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {shown.map((row, index) => (
            <tr key={keyOf(row)} role="row" aria-rowindex={current * PAGE + index + 2}>
              {columns.map((column) => (
                <Cell key={column.title} column={column}>
                  {column.cell(row)}
                </Cell>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length === 0 && <p className="text-center text-soft px-10 py-20">{none}</p>}
      {last > 0 && <Pager size={PAGE} page={current} last={last} count={sorted.length} onPage={setPage} />}
    </div>
  )
}

interface Sort {
  title: string | undefined
  isDescending: boolean
}

function useSort<Row>(columns: readonly Column<Row>[], rows: readonly Row[], first: Sort) {
  const [sort, setSort] = useState(first)
  const sorted = useMemo(() => {
    const valueOf = columns.find(({ title }) => title === sort.title)?.sortBy
    return valueOf ? orderRows(rows, valueOf, sort.isDescending) : rows
  }, [columns, rows, sort])
  const direction = sort.isDescending ? 'descending' : 'ascending'
  return {
    sorted,
    directionOf: (title: string) => (title === sort.title ? direction : undefined),
    sortBy: (title: string) => setSort({ title, isDescending: sort.title === title && !sort.isDescending }),
  }
}
