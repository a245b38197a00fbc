import { UserPlus } from 'lucide-react'
import { members as membersQuery, INVITATION_PAGE, invitations as invitationsQuery } from '../../api/queries/members.ts'
import { useListSearch } from '../../lib/list-search.ts'
import { filterRows } from '../../lib/order-rows.ts'
import { Button } from '../../parts/control/button.tsx'
import { FilterBar } from '../../parts/control/filter-bar.tsx'
import { Page, Section } from '../../parts/frame/page.tsx'
import { Loaded } from '../../parts/feedback/states.tsx'
import { Table } from '../../parts/table/table.tsx'
import { useSession } from '../../session/session.ts'
import { useRead } from '../../session/use-read.ts'
import { InviteDialog } from './invite-dialog.tsx'
import { memberColumns, type Member, type Role, ROLES } from './member-columns.tsx'
import { useState } from 'react'
import type { Shapes } from '../../api/client.ts'
import { useChange } from '../../session/use-change.ts'
import { RevokeMenu } from '../../parts/control/row-menu.tsx'
import { Moment } from '../../parts/text/moment.tsx'
import { Name } from '../../parts/text/name.tsx'
import { formatCount } from '../../lib/format.ts'
import { actionsColumn } from '../../parts/table/cells.tsx'
import type { Column } from '../../parts/table/column.ts'
import { Pager } from '../../parts/table/pager.tsx'
import { report } from '../../parts/feedback/toasts.tsx'

export function MembersPage() {
  const { isAdmin } = useSession()
  const query = useRead(membersQuery)
  const { add, isAdding, close } = useListSearch()
  return (
    <Page
      title="Members"
      about="The people in your organization and their roles."
      actions={
        isAdmin && (
          <Button kind="primary" icon={UserPlus} onClick={add}>
            Invite someone
          </Button>
        )
      }
    >
      <Loaded query={query}>
        {({ members, grantableRoles }) => (
          <>
            <MemberList members={members} grantable={grantableRoles} />
            {isAdding && isAdmin && <InviteDialog roles={grantableRoles} onClose={close} />}
          </>
        )}
      </Loaded>
      {isAdmin && <Invitations />}
    </Page>
  )
}

function MemberList({ members, grantable }: { members: readonly Member[]; grantable: readonly Role[] }) {
  const { filter, slowFilter, setFilter } = useListSearch()
  const rows = filterRows(members, slowFilter, ({ name, email, role }) => `${name} ${email} ${role}`)
  return (
    <>
      {members.length > 5 && <FilterBar label="Filter members" value={filter} onChange={setFilter} />}
      <Table
        label="Members"
        columns={memberColumns(grantable)}
        rows={rows}
        keyOf={({ person }) => person}
        sortedBy="Name"
        none="No member matches this filter."
      />
    </>
  )
}

type Invitation = Shapes['Invitation']

function Invitations() {
  const [page, setPage] = useState(0)
  const { data } = useRead(invitationsQuery, page)
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
  actionsColumn(({ id, email }) => <InvitationMenu id={id} of={email ?? 'the link for anyone'} />),
]

function InvitationMenu({ id, of }: { id: string; of: string }) {
  const { mutateAsync } = useChange(['members'], async (own) =>
    own.delete('/invitations/{invitation}', { invitation: id }),
  )
  return <RevokeMenu of={of} onRevoke={() => report(mutateAsync(), 'Invitation revoked')} />
}
