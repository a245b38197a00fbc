import { useNavigate } from '@tanstack/react-router'
import { ChevronsUpDown, Plus, Settings } from 'lucide-react'
import { useState } from 'react'
import { Menu, MenuChoices, MenuItem, MenuLine } from '../parts/control/menu.tsx'
import { Name } from '../parts/text/name.tsx'
import { NewOrganizationDialog } from '../session/organization-dialogs.tsx'
import { useSession } from '../session/session.ts'

/** Switches between organizations, and creates them. */
export function OrganizationMenu() {
  const { me, organization, chooseOrganization } = useSession()
  const navigate = useNavigate()
  const [isMaking, setMaking] = useState(false)

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
        {me.mayCreateOrganization && <MenuItem title="New organization" icon={Plus} onSelect={() => setMaking(true)} />}
        <MenuItem title="Rename, leave or delete" icon={Settings} onSelect={() => void navigate({ to: '/settings' })} />
      </Menu>
      {isMaking && <NewOrganizationDialog onClose={() => setMaking(false)} onMade={choose} />}
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
