import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react'
import { Cell, HeadCell } from './cells.tsx'
import type { Column } from './column.ts'
import { useVisibleRows } from './use-visible-rows.ts'

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
  const { label, columns, count, none, onShow, isCompact = false } = props
  const body = useRef<HTMLTableSectionElement>(null)
  const [rowHeight, measure] = useRowHeight()
  const { first, end } = useVisibleRows(body, count, rowHeight)
  useEffect(() => onShow?.(first, end), [onShow, first, end])
  return (
    <div className="card overflow-hidden @container">
      <table
        className={`data-table virtual-table ${isCompact ? 'virtual-compact' : ''}`}
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
          {Array.from({ length: end - first }, (_, offset) => {
            const row = props.rowAt(first + offset)
            const key = row === undefined ? `loading-${first + offset}` : props.keyOf(row)
            const onMeasure = offset === 0 ? measure : undefined
            return (
              <tr key={key} role="row" aria-rowindex={first + offset + 2} data-row ref={onMeasure}>
                {columns.map((column) => (
                  <Cell key={column.title} column={column}>
                    {row === undefined ? (
                      <span className="inline-block w-[60%] max-w-80 h-7 bg-sunken rounded-small" />
                    ) : (
                      column.cell(row)
                    )}
                  </Cell>
                ))}
              </tr>
            )
          })}
          <Space rows={count - end} rowHeight={rowHeight} />
        </tbody>
      </table>
      {count === 0 && <p className="text-center text-soft px-10 py-20">{none}</p>}
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
  const { order: by } = column
  const isSorted = order !== undefined && order.by === by
  const direction = isSorted ? (order.isDescending ? 'descending' : 'ascending') : undefined
  const sort = by !== undefined && onOrder && (() => onOrder({ by, isDescending: direction === 'ascending' }))
  return <HeadCell column={column} direction={direction} onSort={sort || undefined} />
}
