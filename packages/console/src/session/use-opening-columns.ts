import { actionsColumn, nameColumn } from '../parts/table/cells.tsx'
import type { Column } from '../parts/table/column.ts'
import { useSession } from './session.ts'

interface RowActions<Row> {
  onOpen: (row: Row) => void
  /** For admins, at the end of the row. */
  actions: Column<Row>['cell']
}

/** The columns of a table whose rows open their details. */
export function useOpeningColumns<Row extends { name: string }>(
  title: string,
  columns: readonly Column<Row>[],
  { onOpen, actions }: RowActions<Row>,
): readonly Column<Row>[] {
  const { isAdmin } = useSession()
  return [nameColumn(title, onOpen), ...columns, ...(isAdmin ? [actionsColumn(actions)] : [])]
}
