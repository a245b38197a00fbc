import { useNavigate } from '@tanstack/react-router'
import { ChevronsUpDown, LogOut, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Menu, MenuChoices, MenuItem, MenuLine } from '../parts/control/menu.tsx'
import { Name } from '../parts/text/name.tsx'
import {
  DeleteOrganizationDialog,
  LeaveDialog,
  NewOrganizationDialog,
  RenameOrganizationDialog,
} from '../session/organization-dialogs.tsx'
import { useSession } from '../session/session.ts'

type Open = 'new' | 'rename' | 'leave' | 'delete'

/** Switches, creates, renames, leaves and deletes organizations. */
export function OrganizationMenu() {
  const { me, organization, chooseOrganization } = useSession()
  const navigate = useNavigate()
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)

  function choose(id: string): void {
    chooseOrganization(id)
    void navigate({ to: '/' })
  }

  return (
    <>
      <Menu align="start" trigger={<OrganizationButton />}>
        <MenuChoices
          label="Organizations"
          value={organization.id}
          onChange={choose}
          choices={me.organizations.map(({ id, name }) => ({ value: id, label: <Name text={name} isCut /> }))}
        />
        <MenuLine />
        <Actions onOpen={setOpen} />
      </Menu>
      {open === 'new' && <NewOrganizationDialog onClose={close} onMade={choose} />}
      {open === 'rename' && <RenameOrganizationDialog onClose={close} />}
      {open === 'leave' && <LeaveDialog onClose={close} />}
      {open === 'delete' && <DeleteOrganizationDialog onClose={close} />}
    </>
  )
}

function Actions({ onOpen }: { onOpen: (dialog: Open) => void }) {
  const { me, organization } = useSession()
  const isKeptByYou = organization.role === 'owner' && organization.deletesAt === null
  return (
    <>
      {me.mayCreateOrganization && (
        <MenuItem icon={Plus} onSelect={() => onOpen('new')}>
          New organization
        </MenuItem>
      )}
      {isKeptByYou && (
        <MenuItem icon={Pencil} onSelect={() => onOpen('rename')}>
          Rename
        </MenuItem>
      )}
      <MenuItem icon={LogOut} isDanger onSelect={() => onOpen('leave')}>
        Leave
      </MenuItem>
      {isKeptByYou && (
        <MenuItem icon={Trash2} isDanger onSelect={() => onOpen('delete')}>
          Delete
        </MenuItem>
      )}
    </>
  )
}

// The menu passes a ref and handlers to its button.
function OrganizationButton(props: React.ComponentProps<'button'>) {
  const { organization } = useSession()
  return (
    <button type="button" className="sidebar-button organization-button" {...props}>
      <span className="initial" aria-hidden>
        {initialOf(organization.name)}
      </span>
      <span>
        <span className="unseen">Organization: </span>
        <Name text={organization.name} isStrong isCut />
        <span className="small soft">{organization.role}</span>
      </span>
      <ChevronsUpDown size={15} aria-hidden />
    </button>
  )
}

/** The first letter or digit of a name. */
export function initialOf(name: string): string {
  return (/[\p{L}\p{N}]/u.exec(name)?.[0] ?? '·').toUpperCase()
}
