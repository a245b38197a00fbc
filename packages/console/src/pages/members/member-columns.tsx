import { Gauge, LogOut, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import { BudgetField, BudgetLine, fromField, toField, useBudget } from '../../session/budget.tsx'
import { useChange } from '../../session/use-change.ts'
import { showOddCharacters } from '../../lib/odd-characters.ts'
import { Badge } from '../../parts/text/badge.tsx'
import { MenuChoices, MenuItem, MenuLine } from '../../parts/control/menu.tsx'
import { RowMenu } from '../../parts/control/row-menu.tsx'
import { RelativeTime } from '../../parts/text/relative-time.tsx'
import { Name } from '../../parts/text/name.tsx'
import { actionsColumn } from '../../parts/table/cells.tsx'
import type { Column } from '../../parts/table/column.ts'
import { report, showProblem } from '../../parts/feedback/toasts.tsx'
import { LeaveDialog } from '../../session/organization-dialogs.tsx'
import { plural } from '../../lib/format.ts'
import { EndDialog } from '../../parts/dialog/end-dialog.tsx'
import { FormDialog } from '../../parts/dialog/form.tsx'

export type Member = Schemas['Member']
type Role = Schemas['Role']

export const ROLES: Record<Role, { title: string; about: string }> = {
  owner: { title: 'Owner', about: 'Full access, including renaming the organization and adding owners' },
  admin: { title: 'Admin', about: 'Manages models, devices, all keys and members, and reads the audit log' },
  member: { title: 'Member', about: 'Manages their own keys, uses the playground, and sees models and devices' },
}

/** `grantable`: the roles that the viewer may give and take. */
export function memberColumns(grantable: readonly Role[]): readonly Column<Member>[] {
  return [
    {
      title: 'Name',
      kind: 'main',
      sortBy: ({ name }) => name,
      cell: ({ name, email, isYou }) => (
        <span className="grid grid-cols-1 min-w-0">
          <span className="row">
            <Name text={name} isStrong />
            {isYou && <Badge tone="accent">You</Badge>}
          </span>
          <span className="text-soft">
            <Name text={email} isCut />
          </span>
        </span>
      ),
    },
    { title: 'Role', sortBy: ({ role }) => role, cell: ({ role }) => ROLES[role].title },
    {
      title: 'Active keys',
      kind: 'number',
      sortBy: ({ activeKeys }) => activeKeys,
      cell: ({ activeKeys }) => activeKeys,
    },
    // For admins: others don't learn what the budgets of others have left.
    ...(grantable.length > 0
      ? [{ title: 'Budget', cell: ({ person }: Member) => <MemberBudget person={person} /> }]
      : []),
    {
      title: 'Joined',
      sortBy: ({ joinedAt }) => new Date(joinedAt).getTime(),
      cell: ({ joinedAt }) => <RelativeTime at={joinedAt} />,
    },
    actionsColumn((member) => <MemberMenu member={member} grantable={grantable} />),
  ]
}

function MemberBudget({ person }: { person: string }) {
  const budget = useBudget('member', person)
  return budget ? <BudgetLine budget={budget} /> : <span className="text-soft">none</span>
}

function MemberMenu({ member, grantable }: { member: Member; grantable: readonly Role[] }) {
  const [dialog, setDialog] = useState<'leave' | 'budget'>()
  const close = () => setDialog(undefined)
  const mayChange = grantable.includes(member.role)
  if (!member.isYou && !mayChange) return null
  return (
    <>
      <RowMenu of={member.name}>
        {mayChange && <RoleChoices member={member} grantable={grantable} />}
        {mayChange && <MenuItem title="Budget…" icon={Gauge} onSelect={() => setDialog('budget')} />}
        <MenuItem
          title={member.isYou ? 'Leave…' : 'Remove…'}
          icon={member.isYou ? LogOut : Trash2}
          isDanger
          onSelect={() => setDialog('leave')}
        />
      </RowMenu>
      {dialog === 'budget' && <BudgetDialog member={member} onClose={close} />}
      {dialog === 'leave' &&
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

function BudgetDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const [tokens, setTokens] = useState(toField(member.tokensPerMonth))
  const { mutateAsync } = useChange(['members'], async (own) =>
    own.patch('/members/{person}', { person: member.person, body: { tokensPerMonth: fromField(tokens) } }),
  )
  return (
    <FormDialog
      title="Monthly budget"
      about={`For the playground and all API keys of ${showOddCharacters(member.name)} together. Leave it empty for no limit.`}
      act={mutateAsync}
      action="Save"
      done="Budget saved"
      onClose={onClose}
    >
      <BudgetField value={tokens} onText={setTokens} hint="Tokens in and out. Months begin at midnight UTC." />
    </FormDialog>
  )
}

function RemoveMemberDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const { mutateAsync } = useChange(['members', 'keys'], async (own) =>
    own.delete('/members/{person}', { person: member.person }),
  )
  return (
    <EndDialog verb="Remove" thing="member" of={member.name} act={mutateAsync} onClose={onClose}>
      <p>They lose access to this organization. Devices they added stay.</p>
      <p>
        {member.activeKeys === 0
          ? 'They have no active keys.'
          : `${plural(member.activeKeys, 'active key stops', 'active keys stop')} working immediately.`}
      </p>
    </EndDialog>
  )
}
