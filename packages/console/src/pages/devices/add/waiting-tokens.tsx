import { useQuery } from '@tanstack/react-query'
import { api, send, type Shapes } from '../../../api/client.ts'
import { useChange } from '../../../session/use-change.ts'
import { enrolments as enrolmentsQuery } from '../../../api/queries/devices.ts'
import { Button } from '../../../parts/control/button.tsx'
import { Moment } from '../../../parts/text/moment.tsx'
import { Name } from '../../../parts/text/name.tsx'
import { Section } from '../../../parts/frame/page.tsx'
import type { Column } from '../../../parts/table/column.ts'
import { Table } from '../../../parts/table/table.tsx'
import { report } from '../../../parts/feedback/toasts.tsx'
import { useSession } from '../../../session/session.ts'

type Enrolment = Shapes['Enrolment']

/** Install commands that no device has used yet. */
export function WaitingTokens() {
  const { organization } = useSession()
  const { data = [] } = useQuery(enrolmentsQuery(organization.id))
  if (data.length === 0) return null
  return (
    <Section title="Unused install commands" about="Each one lets one device join. Revoke those you don't need.">
      <Table label="Unused install commands" columns={COLUMNS} rows={data} keyOf={({ id }) => id} />
    </Section>
  )
}

const COLUMNS: readonly Column<Enrolment>[] = [
  {
    title: 'Created by',
    kind: 'main',
    cell: ({ createdBy }) => (createdBy === null ? 'command line' : <Name text={createdBy} />),
  },
  { title: 'Created', cell: ({ createdAt }) => <Moment at={createdAt} /> },
  { title: 'Expires', cell: ({ expiresAt }) => <Moment at={expiresAt} /> },
  { title: 'Actions', kind: 'actions', cell: ({ id }) => <RevokeButton id={id} /> },
]

function RevokeButton({ id }: { id: string }) {
  const { mutateAsync, isPending } = useChange(['devices'], async (path) => {
    const params = { path: { ...path, enrolment: id } }
    await send(api.DELETE('/organizations/{organization}/enrolments/{enrolment}', { params }))
  })
  return (
    <Button size="small" isBusy={isPending} onClick={() => report(mutateAsync(), 'Install command revoked')}>
      Revoke
    </Button>
  )
}
