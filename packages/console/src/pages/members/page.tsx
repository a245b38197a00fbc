import { useQuery } from '@tanstack/react-query'
import { UserPlus } from 'lucide-react'
import { members as membersQuery } from '../../api/queries/members.ts'
import { useListSearch } from '../../lib/list-search.ts'
import { filterRows } from '../../lib/order-rows.ts'
import { Button } from '../../parts/control/button.tsx'
import { FilterBar } from '../../parts/control/filter-bar.tsx'
import { Page } from '../../parts/frame/page.tsx'
import { Loaded } from '../../parts/feedback/states.tsx'
import { Table } from '../../parts/table/table.tsx'
import { useSession } from '../../session/session.ts'
import { Invitations } from './invitations.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { memberColumns, type Member, type Role } from './member-columns.tsx'

export function MembersPage() {
  const { organization, isAdmin } = useSession()
  const query = useQuery(membersQuery(organization.id))
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
