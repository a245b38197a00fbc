import { useNavigate } from '@tanstack/react-router'
import { ChevronsUpDown, Keyboard, LogOut, UserRound } from 'lucide-react'
import { setTheme, useTheme, type Theme } from '../lib/theme.ts'
import { Menu, MenuChoices, MenuItem, MenuLine } from '../parts/control/menu.tsx'
import { Name } from '../parts/text/name.tsx'
import { signOut } from '../session/sign-out.ts'
import { initialOf } from './organization-menu.tsx'
import { useSession } from '../session/session.ts'

const THEMES: readonly { value: Theme; label: string }[] = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

export function PersonMenu({ onHelp }: { onHelp: () => void }) {
  const theme = useTheme()
  const navigate = useNavigate()
  return (
    <Menu align="start" trigger={<PersonButton />}>
      <MenuItem icon={UserRound} onSelect={() => void navigate({ to: '/account' })}>
        Your account
      </MenuItem>
      <MenuItem icon={Keyboard} onSelect={onHelp}>
        Keyboard shortcuts
      </MenuItem>
      <MenuLine />
      <MenuChoices label="Theme" value={theme} onChange={setTheme} choices={THEMES} />
      <MenuLine />
      <MenuItem icon={LogOut} onSelect={() => void signOut()}>
        Sign out
      </MenuItem>
    </Menu>
  )
}

function PersonButton(props: React.ComponentProps<'button'>) {
  const { person } = useSession().me
  return (
    <button type="button" className="sidebar-button" {...props}>
      <span className="initial initial-person" aria-hidden>
        {initialOf(person.name)}
      </span>
      <span>
        <span className="unseen">You: </span>
        <Name text={person.name} isCut />
      </span>
      <ChevronsUpDown size={15} aria-hidden />
    </button>
  )
}
