// The cells of a table. On a phone, rows become cards and lose their built-in roles, so the roles are explicit.

import { ArrowDown, ArrowUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { Name } from '../text/name.tsx'
import { classOf, type Column } from './column.ts'

interface HeadCellProps<Row> {
  column: Column<Row>
  /** Undefined if the rows are sorted by another column. */
  direction: 'ascending' | 'descending' | undefined
  /** Undefined if the column is not sortable. */
  onSort: (() => void) | undefined
}

export function HeadCell<Row>({ column, direction, onSort }: HeadCellProps<Row>) {
  const Arrow = direction === 'descending' ? ArrowDown : ArrowUp
  return (
    <th role="columnheader" scope="col" className={classOf(column)} aria-sort={direction}>
      {onSort ? (
        <button type="button" className="table-sort" onClick={onSort}>
          {column.title}
          {/* Reserves space for the arrow, so that sorting shifts nothing. */}
          {direction ? <Arrow size={14} aria-hidden /> : <span className="size-[14px]" aria-hidden />}
        </button>
      ) : (
        <span className={column.kind === 'actions' ? 'sr-only' : ''}>{column.title}</span>
      )}
    </th>
  )
}

export function Cell<Row>({ column, children }: { column: Column<Row>; children: ReactNode }) {
  return (
    <td role="cell" className={classOf(column)} data-title={column.title}>
      {children}
    </td>
  )
}

/** The name of a row, which opens its details. */
export function OpenName({ name, onOpen }: { name: string; onOpen: () => void }) {
  return (
    <button
      type="button"
      className="table-open block text-ink font-medium no-underline text-left max-w-full after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-focus focus-visible:after:-outline-offset-2"
      onClick={onOpen}
    >
      <Name text={name} isCut />
    </button>
  )
}

/** The first column of a table whose rows open their details. */
export function nameColumn<Row extends { name: string }>(title: string, onOpen: (row: Row) => void): Column<Row> {
  const cell = (row: Row) => <OpenName name={row.name} onOpen={() => onOpen(row)} />
  return { title, kind: 'main', sortBy: ({ name }) => name, cell }
}

/** The last column. */
export function actionsColumn<Row>(cell: Column<Row>['cell']): Column<Row> {
  return { title: 'Actions', kind: 'actions', cell }
}
