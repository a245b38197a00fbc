import { useState } from 'react'
import { api, send, type Shapes } from '../../api/client.ts'
import { useChange } from '../../session/use-change.ts'
import { showOddCharacters } from '../../lib/odd-characters.ts'
import { Badge } from '../../parts/text/badge.tsx'
import { Button } from '../../parts/control/button.tsx'
import { Moment } from '../../parts/text/moment.tsx'
import { Name } from '../../parts/text/name.tsx'
import type { Column } from '../../parts/table/column.ts'
import { report, showProblem } from '../../parts/feedback/toasts.tsx'
import { LeaveDialog } from '../../session/organization-dialogs.tsx'
import { RemoveMemberDialog } from './remove-dialog.tsx'
import './members.css'

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
      cell: (member) => <RoleCell member={member} grantable={grantable} />,
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
      cell: (member) => <MemberAction member={member} mayRemove={grantable.includes(member.role)} />,
    },
  ]
}

function Person({ member: { name, email, isYou } }: { member: Member }) {
  return (
    <span className="member-name">
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

function RoleCell({ member, grantable }: { member: Member; grantable: readonly Role[] }) {
  const { mutateAsync, isPending } = useChange(['members'], async (path, role: Role) => {
    const params = { path: { ...path, person: member.person } }
    await send(api.PATCH('/organizations/{organization}/members/{person}', { params, body: { role } }))
  })
  if (!grantable.includes(member.role)) return ROLES[member.role].title
  function change(role: Role): void {
    const before = member.role
    const undo = member.isYou ? undefined : () => void mutateAsync(before).catch(showProblem)
    const text = `${showOddCharacters(member.name)} is now ${role === 'member' ? 'a' : 'an'} ${role}`
    report(mutateAsync(role), text, undo)
  }
  return (
    <select
      className="input member-role"
      aria-label={`Role of ${showOddCharacters(member.name)}`}
      value={member.role}
      disabled={isPending}
      onChange={({ target }) => change(grantable.find((role) => role === target.value) ?? member.role)}
    >
      {grantable.map((role) => (
        <option key={role} value={role}>
          {ROLES[role].title}
        </option>
      ))}
    </select>
  )
}

function MemberAction({ member, mayRemove }: { member: Member; mayRemove: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  if (!member.isYou && !mayRemove) return null
  return (
    <>
      <Button
        size="small"
        onClick={() => setOpen(true)}
        {...(!member.isYou && { 'aria-label': `Remove ${showOddCharacters(member.name)}` })}
      >
        {member.isYou ? 'Leave' : 'Remove'}
      </Button>
      {isOpen &&
        (member.isYou ? <LeaveDialog onClose={close} /> : <RemoveMemberDialog member={member} onClose={close} />)}
    </>
  )
}
