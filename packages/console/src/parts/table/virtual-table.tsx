import { ArrowDown, ArrowUp } from 'lucide-react'
import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react'
import type { Column } from './table.tsx'
import { useVisibleRows } from './use-visible-rows.ts'
import './table.css'
import './virtual-table.css'

export interface RowOrder<Name extends string> {
  by: Name
  isDescending: boolean
}

interface VirtualTableProps<Row, Name extends string> {
  /** Names the table for screen readers. */
  label: string
  columns: readonly (Column<Row> & { order?: Name })[]
  /** All rows, loaded or not. */
  count: number
  /** Undefined while the row is loading. */
  rowAt: (index: number) => Row | undefined
  keyOf: (row: Row) => string
  /** A sentence to show when there are no rows. */
  none?: ReactNode
  /** Smaller, for many columns. */
  isCompact?: boolean
  /** Called with the rows that are on the screen. */
  onShow?: (first: number, end: number) => void
  order?: RowOrder<Name>
  onOrder?: (order: RowOrder<Name>) => void
}

/** Renders only the rows on the screen, so that a hundred thousand of them scroll like fifty. All rows have the same height. */
export function VirtualTable<Row, Name extends string>(props: VirtualTableProps<Row, Name>) {
  const { label, columns, count, rowAt, keyOf, none, onShow, isCompact = false } = props
  const body = useRef<HTMLTableSectionElement>(null)
  const [rowHeight, measure] = useRowHeight()
  const { first, end } = useVisibleRows(body, count, rowHeight)
  useEffect(() => onShow?.(first, end), [onShow, first, end])
  return (
    <div className="table-frame card">
      {/* On a phone, rows become cards and lose their built-in roles, so the roles are explicit. */}
      <table
        className={`table virtual-table ${isCompact ? 'virtual-compact' : ''}`}
        role="table"
        aria-label={label}
        aria-rowcount={count + 1}
      >
        <thead role="rowgroup">
          <tr role="row" aria-rowindex={1}>
            {columns.map((column) => (
              <OrderedHead key={column.title} column={column} {...props} />
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" ref={body}>
          <Space rows={first} rowHeight={rowHeight} />
          {Array.from({ length: end - first }, (_, place) => {
            const row = rowAt(first + place)
            return (
              <tr
                key={row === undefined ? `loading-${first + place}` : keyOf(row)}
                role="row"
                aria-rowindex={first + place + 2}
                data-row
                ref={place === 0 ? measure : undefined}
              >
                {columns.map((column) => (
                  <td key={column.title} role="cell" className={classOf(column)} data-title={column.title}>
                    {row === undefined ? <span className="virtual-loading" /> : column.cell(row)}
                  </td>
                ))}
              </tr>
            )
          })}
          <Space rows={count - end} rowHeight={rowHeight} />
        </tbody>
      </table>
      {count === 0 && <p className="table-none">{none}</p>}
    </div>
  )
}

/** The height of a row, from one of them. It differs between a desk and a phone. */
function useRowHeight(): [height: number, measure: (row: HTMLTableRowElement | null) => (() => void) | undefined] {
  const [height, setHeight] = useState(48)
  const measure = useCallback((row: HTMLTableRowElement | null) => {
    if (!row) return undefined
    const observer = new ResizeObserver(() => {
      const next = row.getBoundingClientRect().height
      if (next > 0) setHeight((before) => (Math.abs(next - before) > 0.5 ? next : before))
    })
    observer.observe(row)
    return () => observer.disconnect()
  }, [])
  return [height, measure]
}

/** Takes the place of the rows that are not rendered. */
function Space({ rows, rowHeight }: { rows: number; rowHeight: number }) {
  return rows > 0 && <tr className="virtual-space" aria-hidden style={{ height: rows * rowHeight }} />
}

interface HeadProps<Row, Name extends string> extends Pick<VirtualTableProps<Row, Name>, 'order' | 'onOrder'> {
  column: Column<Row> & { order?: Name }
}

function OrderedHead<Row, Name extends string>({ column, order, onOrder }: HeadProps<Row, Name>) {
  const isSorted = order !== undefined && order.by === column.order
  const Arrow = order?.isDescending ? ArrowDown : ArrowUp
  const { order: by } = column
  return (
    <th
      role="columnheader"
      scope="col"
      className={classOf(column)}
      aria-sort={isSorted ? (order.isDescending ? 'descending' : 'ascending') : undefined}
    >
      {by !== undefined && onOrder ? (
        <button
          type="button"
          className="table-sort"
          onClick={() => onOrder({ by, isDescending: isSorted && !order.isDescending })}
        >
          {column.title}
          {isSorted ? <Arrow size={14} aria-hidden /> : <span className="table-arrow" aria-hidden />}
        </button>
      ) : (
        <span className={column.kind === 'actions' ? 'unseen' : ''}>{column.title}</span>
      )}
    </th>
  )
}

function classOf<Row>({ kind, isMinor = false }: Column<Row>): string {
  return `table-${kind ?? 'usual'} ${isMinor ? 'table-minor' : ''}`
}
