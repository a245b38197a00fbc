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
      <Menu
        align="start"
        trigger={<SidebarButton word="Organization" name={organization.name} detail={organization.role} />}
      >
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

interface SidebarButtonProps extends React.ComponentProps<'button'> {
  /** What the name is the name of. */
  word: string
  name: string
  /** Only an organization has one: your role in it. */
  detail?: string
}

/** A button that opens a menu, which passes it a ref and handlers. */
export function SidebarButton({ word, name, detail, ...props }: SidebarButtonProps) {
  const isOrganization = detail !== undefined
  return (
    <button
      type="button"
      className={`flex items-center gap-6 w-full px-6 py-5 text-left border rounded transition-[background] ${isOrganization ? 'bg-surface border-line shadow-small hover:border-line-strong' : 'border-transparent hover:bg-ink/5'}`}
      {...props}
    >
      <span
        className={`size-17.5 grid place-items-center flex-none text-small font-strong text-soft bg-ink/9 overflow-hidden ${isOrganization ? 'rounded-[7px]' : 'rounded-full'}`}
        aria-hidden
      >
        {initialOf(name)}
      </span>
      <span className="flex-1 min-w-0">
        <span className="sr-only">{word}: </span>
        <Name text={name} isStrong={isOrganization} isCut />
        {isOrganization && <span className="text-small text-soft">{detail}</span>}
      </span>
      <ChevronsUpDown size={15} className="text-faint" aria-hidden />
    </button>
  )
}

/** The first letter or digit of a name. */
function initialOf(name: string): string {
  return (/[\p{L}\p{N}]/u.exec(name)?.[0] ?? '·').toUpperCase()
}
