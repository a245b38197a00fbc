import type { Schemas } from '../../../api/client.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { useChange } from '../../../session/use-change.ts'
import { RevokeMenu } from '../../../parts/control/row-menu.tsx'
import { RelativeTime } from '../../../parts/text/relative-time.tsx'
import { Name } from '../../../parts/text/name.tsx'
import { Section } from '../../../parts/frame/page.tsx'
import { actionsColumn } from '../../../parts/table/cells.tsx'
import type { Column } from '../../../parts/table/column.ts'
import { Table } from '../../../parts/table/table.tsx'
import { report } from '../../../parts/feedback/toasts.tsx'
import { useRead } from '../../../session/use-read.ts'

const COLUMNS: readonly Column<Schemas['Enrolment']>[] = [
  {
    title: 'Created by',
    kind: 'main',
    cell: ({ createdBy }) => (createdBy === null ? 'command line' : <Name text={createdBy} />),
  },
  { title: 'Created', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  { title: 'Expires', cell: ({ expiresAt }) => <RelativeTime at={expiresAt} /> },
]

/** Install commands that no device has used yet. */
export function UnusedCommands() {
  const { data } = useRead('/enrolments')
  const { mutateAsync } = useChange(['devices'], async (own, enrolment: string) =>
    own.delete('/enrolments/{enrolment}', { enrolment }),
  )
  if (data === undefined || data.enrolments.length === 0) return null
  const columns = [
    ...COLUMNS,
    actionsColumn<Schemas['Enrolment']>(({ id, createdAt }) => (
      <RevokeMenu
        of={`the command of ${formatDateTime(createdAt)}`}
        onRevoke={() => report(mutateAsync(id), 'Install command revoked')}
      />
    )),
  ]
  return (
    <Section title="Unused install commands" about="Each one lets one device join. Revoke those you don't need.">
      <Table label="Unused install commands" columns={columns} rows={data.enrolments} keyOf={({ id }) => id} />
    </Section>
  )
}
