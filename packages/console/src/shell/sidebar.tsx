import { Link, useNavigate } from '@tanstack/react-router'
import { Logo } from '../parts/frame/logo.tsx'
import { OrganizationMenu, SidebarButton } from './organization-menu.tsx'
import { useSidebarPages } from '../session/sidebar-pages.ts'
import { Keyboard, LogOut, UserRound, Search } from 'lucide-react'
import { setTheme, useTheme, type Theme } from '../lib/theme.ts'
import { Menu, MenuChoices, MenuItem, MenuLine } from '../parts/control/menu.tsx'
import { signOut } from '../session/sign-out.ts'
import { useSession } from '../session/session.ts'
import { SEARCH_KEYS } from './search-keys.ts'

const LINK =
  'flex items-center gap-6.5 px-6 py-4 text-soft no-underline rounded transition-[background,color] hover:text-ink not-aria-[current=page]:hover:bg-ink/5 aria-[current=page]:text-ink aria-[current=page]:font-medium aria-[current=page]:bg-ink/8 tablet:py-6.5'

export function Sidebar({ onHelp, onSearch }: { onHelp: () => void; onSearch: () => void }) {
  const pages = useSidebarPages()
  return (
    <>
      <Logo className="px-4.5 pb-3.5 text-[1.15rem]" />
      <OrganizationMenu />
      <button
        type="button"
        className="flex items-center gap-6.5 min-h-22 pr-4 pl-6 text-soft text-left border border-line-strong rounded transition-[background] hover:text-ink hover:bg-surface"
        aria-keyshortcuts="Meta+K Control+K"
        onClick={onSearch}
      >
        <Search size={16} className="text-faint" aria-hidden />
        <span className="flex-1">Search</span>
        <span className="flex gap-[2px] pointer-coarse:hidden" aria-hidden>
          {SEARCH_KEYS.map((key) => (
            <kbd key={key}>{key}</kbd>
          ))}
        </span>
      </button>
      <nav className="grid gap-px" aria-label="Pages">
        {pages.map(({ path, title, icon: Icon }) => (
          <Link key={path} to={path} activeOptions={{ exact: path === '/' }} className={`${LINK} group`}>
            <Icon size={17} className="text-faint group-aria-[current=page]:text-ink" aria-hidden />
            {title}
          </Link>
        ))}
      </nav>
      <div className="mt-auto">
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
