import { LogOut, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Shapes } from '../../api/client.ts'
import { useChange } from '../../session/use-change.ts'
import { showOddCharacters } from '../../lib/odd-characters.ts'
import { Badge } from '../../parts/text/badge.tsx'
import { MenuChoices, MenuItem, MenuLine } from '../../parts/control/menu.tsx'
import { RowMenu } from '../../parts/control/row-menu.tsx'
import { Moment } from '../../parts/text/moment.tsx'
import { Name } from '../../parts/text/name.tsx'
import type { Column } from '../../parts/table/column.ts'
import { report, showProblem } from '../../parts/feedback/toasts.tsx'
import { LeaveDialog } from '../../session/organization-dialogs.tsx'
import { plural } from '../../lib/format.ts'
import { ConfirmDialog } from '../../parts/dialog/confirm-dialog.tsx'

export type Member = Shapes['Member']
export type Role = Shapes['Role']

export const ROLES: Record<Role, { title: string; about: string }> = {
  owner: { title: 'Owner', about: 'Full access, including renaming the organization and adding owners' },
  admin: { title: 'Admin', about: 'Manages models, devices, all keys and members, and reads the audit log' },
  member: { title: 'Member', about: 'Manages their own keys, uses the playground, and sees models and devices' },
}

/** `grantable`: the roles that the viewer may give and take. */
export function memberColumns(grantable: readonly Role[]): readonly Column<Member>[] {
  return [
    { title: 'Name', kind: 'main', sortBy: ({ name }) => name, cell: (member) => <Person member={member} /> },
    {
      title: 'Role',
      sortBy: ({ role }) => role,
      cell: ({ role }) => ROLES[role].title,
    },
    {
      title: 'Active keys',
      kind: 'number',
      sortBy: ({ activeKeys }) => activeKeys,
      cell: ({ activeKeys }) => activeKeys,
    },
    {
      title: 'Joined',
      sortBy: ({ joinedAt }) => new Date(joinedAt).getTime(),
      cell: ({ joinedAt }) => <Moment at={joinedAt} />,
    },
    {
      title: 'Actions',
      kind: 'actions',
      cell: (member) => <MemberMenu member={member} grantable={grantable} />,
    },
  ]
}

function Person({ member: { name, email, isYou } }: { member: Member }) {
  return (
    <span className="table-lines">
      <span className="row">
        <Name text={name} isStrong />
        {isYou && <Badge tone="accent">You</Badge>}
      </span>
      <span className="soft">
        <Name text={email} isCut />
      </span>
    </span>
  )
}

function MemberMenu({ member, grantable }: { member: Member; grantable: readonly Role[] }) {
  const [isLeaving, setLeaving] = useState(false)
  const close = () => setLeaving(false)
  const mayChange = grantable.includes(member.role)
  if (!member.isYou && !mayChange) return null
  return (
    <>
      <RowMenu of={member.name}>
        {mayChange && <RoleChoices member={member} grantable={grantable} />}
        <MenuItem
          title={member.isYou ? 'Leave…' : 'Remove…'}
          icon={member.isYou ? LogOut : Trash2}
          isDanger
          onSelect={() => setLeaving(true)}
        />
      </RowMenu>
      {isLeaving &&
        (member.isYou ? <LeaveDialog onClose={close} /> : <RemoveMemberDialog member={member} onClose={close} />)}
    </>
  )
}

function RoleChoices({ member, grantable }: { member: Member; grantable: readonly Role[] }) {
  const { mutateAsync } = useChange(['members'], async (own, role: Role) =>
    own.patch('/members/{person}', { person: member.person, body: { role } }),
  )
  function change(role: Role): void {
    const before = member.role
    const undo = member.isYou ? undefined : () => void mutateAsync(before).catch(showProblem)
    const text = `${showOddCharacters(member.name)} is now ${role === 'member' ? 'a' : 'an'} ${role}`
    report(mutateAsync(role), text, undo)
  }
  const choices = grantable.map((role) => ({ value: role, label: ROLES[role].title }))
  return (
    <>
      <MenuChoices label="Role" value={member.role} onChange={change} choices={choices} />
      <MenuLine />
    </>
  )
}

function RemoveMemberDialog({ member, onClose }: { member: Shapes['Member']; onClose: () => void }) {
  const { mutateAsync } = useChange(['members', 'keys'], async (own) =>
    own.delete('/members/{person}', { person: member.person }),
  )
  return (
    <ConfirmDialog
      title="Remove"
      of={member.name}
      action="Remove member"
      onClose={onClose}
      onConfirm={mutateAsync}
      done="Member removed"
    >
      <p>They lose access to this organization. Devices they added stay.</p>
      <p>
        {member.activeKeys === 0
          ? 'They have no active keys.'
          : `${plural(member.activeKeys, 'active key stops', 'active keys stop')} working immediately.`}
      </p>
    </ConfirmDialog>
  )
}
