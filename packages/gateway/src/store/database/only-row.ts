import { StoreError } from './store-error.ts'

/** The row of a statement that always gives exactly one. */
export function onlyRow<Row>([row]: readonly Row[]): Row {
  if (row === undefined)
    throw new StoreError('failed', 'The database returned no row for a statement that always has one')
  return row
}
