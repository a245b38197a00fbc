import { Link, useNavigate } from '@tanstack/react-router'
import { Logo } from '../parts/frame/logo.tsx'
import { OrganizationMenu, SidebarButton } from './organization-menu.tsx'
import { usePlaces } from '../session/places.ts'
import { Keyboard, LogOut, UserRound, Search } from 'lucide-react'
import { setTheme, useTheme, type Theme } from '../lib/theme.ts'
import { Menu, MenuChoices, MenuItem, MenuLine } from '../parts/control/menu.tsx'
import { signOut } from '../session/sign-out.ts'
import { useSession } from '../session/session.ts'
import { SEARCH_KEYS } from './search-keys.ts'

export function Sidebar({ onHelp, onSearch }: { onHelp: () => void; onSearch: () => void }) {
  const places = usePlaces()
  return (
    <>
      <Logo />
      <OrganizationMenu />
      <SearchButton onClick={onSearch} />
      <nav className="sidebar-nav" aria-label="Pages">
        {places.map(({ path, title, icon: Icon }) => (
          <Link key={path} to={path} activeOptions={{ exact: path === '/' }}>
            <Icon size={17} aria-hidden />
            {title}
          </Link>
        ))}
      </nav>
      <div className="sidebar-foot">
        <PersonMenu onHelp={onHelp} />
      </div>
    </>
  )
}

const THEMES: readonly { value: Theme; label: string }[] = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

function PersonMenu({ onHelp }: { onHelp: () => void }) {
  const theme = useTheme()
  const { person } = useSession().me
  const navigate = useNavigate()
  return (
    <Menu align="start" trigger={<SidebarButton word="You" name={person.name} />}>
      <MenuItem title="Your account" icon={UserRound} onSelect={() => void navigate({ to: '/account' })} />
      <MenuItem title="Keyboard shortcuts" icon={Keyboard} onSelect={onHelp} />
      <MenuLine />
      <MenuChoices label="Theme" value={theme} onChange={setTheme} choices={THEMES} />
      <MenuLine />
      <MenuItem title="Sign out" icon={LogOut} onSelect={() => void signOut()} />
    </Menu>
  )
}

function SearchButton({ onClick }: { onClick: () => void }) {
  return (
    <button type="button" className="search-button" aria-keyshortcuts="Meta+K Control+K" onClick={onClick}>
      <Search size={16} aria-hidden />
      <span>Search</span>
      <span className="search-keys" aria-hidden>
        {SEARCH_KEYS.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </span>
    </button>
  )
}
