import { useQuery } from '@tanstack/react-query'
import { api, send, type Shapes } from '../../api/client.ts'
import { invitations as invitationsQuery, useChange } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Name } from '../../parts/name.tsx'
import { Section } from '../../parts/page.tsx'
import { Table, type Column } from '../../parts/table.tsx'
import { showProblem, showToast } from '../../parts/toasts.tsx'
import { useSession } from '../../session/session.ts'
import { ROLES } from './member-columns.tsx'

type Invitation = Shapes['Invitation']

export function Invitations() {
  const { organization } = useSession()
  const { data = [] } = useQuery(invitationsQuery(organization.id))
  if (data.length === 0) return null
  return (
    <Section title="Open invitations" about="Links that no one has used yet.">
      <Table label="Open invitations" columns={COLUMNS} rows={data} keyOf={({ id }) => id} />
    </Section>
  )
}

const COLUMNS: readonly Column<Invitation>[] = [
  {
    title: 'For',
    kind: 'main',
    cell: ({ email }) => (email === null ? 'anyone with the link' : <Name text={email} isCut />),
  },
  { title: 'Role', cell: ({ role }) => ROLES[role].title },
  {
    title: 'Invited by',
    cell: ({ invitedBy }) => (invitedBy === null ? 'command line' : <Name text={invitedBy} />),
  },
  { title: 'Expires', cell: ({ expiresAt }) => <Moment at={expiresAt} /> },
  { title: 'Actions', kind: 'actions', cell: ({ id }) => <RevokeButton id={id} /> },
]

function RevokeButton({ id }: { id: string }) {
  const { organization } = useSession()
  const { mutateAsync, isPending } = useChange(organization.id, ['members'], async () => {
    const path = { organization: organization.id, invitation: id }
    await send(api.DELETE('/organizations/{organization}/invitations/{invitation}', { params: { path } }))
  })
  return (
    <Button
      size="small"
      isBusy={isPending}
      // The row may be gone before the answer is here.
      onClick={() => void mutateAsync(undefined).then(() => showToast('Invitation revoked'), showProblem)}
    >
      Revoke
    </Button>
  )
}
