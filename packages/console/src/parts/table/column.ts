import type { ReactNode } from 'react'
import type { SortValue } from '../../lib/order-rows.ts'

export interface Column<Row> {
  title: string
  cell: (row: Row) => ReactNode
  /** Makes the column sortable. */
  sortBy?: (row: Row) => SortValue
  /** main: the name, which heads the card on a phone; number: right-aligned; actions: buttons at the end of the row, without a visible title. */
  kind?: 'main' | 'number' | 'actions'
  /** Hidden when the table is narrow. */
  isMinor?: boolean
  /** More styles of its cells. */
  className?: string
}

export function classOf<Row>({ kind, isMinor = false, className = '' }: Column<Row>): string {
  return `table-${kind ?? 'usual'} ${isMinor ? 'table-minor' : ''} ${className}`
}
