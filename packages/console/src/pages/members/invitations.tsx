import { useQuery } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { api, send, type Shapes } from '../../api/client.ts'
import { useChange } from '../../session/use-change.ts'
import { INVITATION_PAGE, invitations as invitationsQuery } from '../../api/queries/members.ts'
import { MenuItem } from '../../parts/control/menu.tsx'
import { RowMenu } from '../../parts/control/row-menu.tsx'
import { Moment } from '../../parts/text/moment.tsx'
import { Name } from '../../parts/text/name.tsx'
import { Section } from '../../parts/frame/page.tsx'
import { formatCount } from '../../lib/format.ts'
import type { Column } from '../../parts/table/column.ts'
import { Pager } from '../../parts/table/pager.tsx'
import { Table } from '../../parts/table/table.tsx'
import { report } from '../../parts/feedback/toasts.tsx'
import { useSession } from '../../session/session.ts'
import { ROLES } from './member-columns.tsx'

type Invitation = Shapes['Invitation']

export function Invitations() {
  const { organization } = useSession()
  const [page, setPage] = useState(0)
  const { data } = useQuery(invitationsQuery(organization.id, page))
  if (data === undefined || data.count === 0) return null
  const { count, most } = data
  const last = Math.max(Math.ceil(count / INVITATION_PAGE) - 1, 0)
  // Revoking the only invitation of the last page leaves an empty one.
  if (page > last) setPage(last)
  return (
    <Section title="Open invitations" about={`Links that no one has used yet. ${describeRoom(count, most)}`}>
      <Table label="Open invitations" columns={COLUMNS} rows={data.invitations} keyOf={({ id }) => id} />
      {last > 0 && <Pager size={INVITATION_PAGE} page={page} last={last} count={count} onPage={setPage} />}
    </Section>
  )
}

function describeRoom(count: number, most: number): string {
  const limit = `Your organization can have ${formatCount(most)} at a time`
  return count < most ? `${limit}.` : `${limit}: revoke one to invite someone else.`
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
  {
    title: 'Actions',
    kind: 'actions',
    cell: ({ id, email }) => <InvitationMenu id={id} of={email ?? 'the link for anyone'} />,
  },
]

function InvitationMenu({ id, of }: { id: string; of: string }) {
  const { mutateAsync } = useChange(['members'], async (path) => {
    const params = { path: { ...path, invitation: id } }
    await send(api.DELETE('/organizations/{organization}/invitations/{invitation}', { params }))
  })
  return (
    <RowMenu of={of}>
      <MenuItem icon={Trash2} isDanger onSelect={() => report(mutateAsync(), 'Invitation revoked')}>
        Revoke
      </MenuItem>
    </RowMenu>
  )
}
