import { Link } from '@tanstack/react-router'
import { Logo } from '../parts/frame/logo.tsx'
import { OrganizationMenu } from './organization-menu.tsx'
import { PersonMenu } from './person-menu.tsx'
import { usePlaces } from '../session/places.ts'
import { SearchButton } from './search-button.tsx'

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
