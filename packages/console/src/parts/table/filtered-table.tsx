import type { ComponentProps } from 'react'
import { useListSearch } from '../../lib/list-search.ts'
import { filterRows } from '../../lib/order-rows.ts'
import { FilterBar, Segments } from '../control/filter-bar.tsx'
import { Table } from './table.tsx'

interface Group<Row> {
  value: string
  label: string
  has: (row: Row) => boolean
  /** Not shown while it is empty. */
  isRare?: boolean
}

interface FilteredTableProps<Row> extends ComponentProps<typeof Table<Row>> {
  /** "Filter models", or false if there is too little to filter. */
  filter: string | false
  /** What the filter looks in. */
  textOf: (row: Row) => string
  /** The first has all rows. */
  groups?: readonly Group<Row>[]
}

/** A table with filters, which the URL keeps. */
export function FilteredTable<Row>({ filter: label, textOf, groups = [], rows, ...table }: FilteredTableProps<Row>) {
  const { filter, slowFilter, setFilter, state, setState } = useListSearch()
  const chosen = groups.find(({ value }) => value === state) ?? groups[0]
  const choices = groups.map(({ has, ...group }) => ({ ...group, count: rows.filter(has).length }))
  const inGroup = chosen === undefined ? rows : rows.filter(chosen.has)
  return (
    <>
      {label !== false && (
        <FilterBar label={label} value={filter} onChange={setFilter}>
          {chosen && (
            <Segments
              label="Status"
              value={chosen.value}
              onChange={setState}
              choices={choices.filter(({ isRare, count, value }) => !isRare || count > 0 || value === chosen.value)}
            />
          )}
        </FilterBar>
      )}
      <Table {...table} rows={filterRows(inGroup, slowFilter, textOf)} />
    </>
  )
}
