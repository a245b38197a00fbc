import { keepPreviousData } from '@tanstack/react-query'
import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import { useListSearch } from '../../lib/list-search.ts'
import { Button } from '../../parts/control/button.tsx'
import { Page, Section } from '../../parts/frame/page.tsx'
import { Loaded } from '../../parts/feedback/states.tsx'
import { FilteredTable } from '../../parts/table/filtered-table.tsx'
import { Table } from '../../parts/table/table.tsx'
import { useSession } from '../../session/session.ts'
import { useRead } from '../../session/use-read.ts'
import { InviteDialog } from './invite-dialog.tsx'
import { memberColumns, ROLES } from './member-columns.tsx'
import { useChange } from '../../session/use-change.ts'
import { RevokeMenu } from '../../parts/control/row-menu.tsx'
import { RelativeTime } from '../../parts/text/relative-time.tsx'
import { Name } from '../../parts/text/name.tsx'
import { formatCount } from '../../lib/format.ts'
import { actionsColumn } from '../../parts/table/cells.tsx'
import type { Column } from '../../parts/table/column.ts'
import { Pager } from '../../parts/table/pager.tsx'
import { report } from '../../parts/feedback/toasts.tsx'

export function MembersPage() {
  const { isAdmin } = useSession()
  const query = useRead('/members')
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
            <FilteredTable
              label="Members"
              filter={members.length > 5 && 'Filter members'}
              textOf={({ name, email, role }) => `${name} ${email} ${role}`}
              columns={memberColumns(grantableRoles)}
              rows={members}
              keyOf={({ person }) => person}
              sortedBy="Name"
              none="No member matches this filter."
            />
            {isAdding && isAdmin && <InviteDialog roles={grantableRoles} onClose={close} />}
          </>
        )}
      </Loaded>
      {isAdmin && <Invitations />}
    </Page>
  )
}

const PAGE = 100

const COLUMNS: readonly Column<Schemas['Invitation']>[] = [
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
  { title: 'Expires', cell: ({ expiresAt }) => <RelativeTime at={expiresAt} /> },
]

function Invitations() {
  const [page, setPage] = useState(0)
  const query = { offset: page * PAGE, limit: PAGE }
  // Shows the page before until this one is here.
  const { data } = useRead('/invitations', { query }, { placeholderData: keepPreviousData })
  const { mutateAsync } = useChange(['members'], async (own, invitation: string) =>
    own.delete('/invitations/{invitation}', { invitation }),
  )
  if (data === undefined || data.count === 0) return null
  const { count, most } = data
  const last = Math.max(Math.ceil(count / PAGE) - 1, 0)
  // Revoking the only invitation of the last page leaves an empty one.
  if (page > last) setPage(last)
  const columns = [
    ...COLUMNS,
    actionsColumn<Schemas['Invitation']>(({ id, email }) => (
      <RevokeMenu of={email ?? 'the link for anyone'} onRevoke={() => report(mutateAsync(id), 'Invitation revoked')} />
    )),
  ]
  return (
    <Section title="Open invitations" about={`Links that no one has used yet. ${describeRoom(count, most)}`}>
      <Table label="Open invitations" columns={columns} rows={data.invitations} keyOf={({ id }) => id} />
      {last > 0 && <Pager size={PAGE} page={page} last={last} count={count} onPage={setPage} />}
    </Section>
  )
}

function describeRoom(count: number, most: number): string {
  const limit = `Your organization can have ${formatCount(most)} at a time`
  return count < most ? `${limit}.` : `${limit}: revoke one to invite someone else.`
}
