import { useQuery } from '@tanstack/react-query'
import { api, send, type Shapes } from '../../api/client.ts'
import { enrolments as enrolmentsQuery, useChange } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Name } from '../../parts/name.tsx'
import { Section } from '../../parts/page.tsx'
import { Table, type Column } from '../../parts/table.tsx'
import { showProblem, showToast } from '../../parts/toasts.tsx'
import { useSession } from '../../session/session.ts'

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
  const { organization } = useSession()
  const { mutateAsync, isPending } = useChange(organization.id, ['devices'], async () => {
    const path = { organization: organization.id, enrolment: id }
    await send(api.DELETE('/organizations/{organization}/enrolments/{enrolment}', { params: { path } }))
  })
  return (
    <Button
      size="small"
      isBusy={isPending}
      // The row may be gone before the answer is here.
      onClick={() => void mutateAsync(undefined).then(() => showToast('Install command revoked'), showProblem)}
    >
      Revoke
    </Button>
  )
}
