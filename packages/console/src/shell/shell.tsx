// The frame around every page: sidebar, connection banner, keyboard shortcuts. On a phone, the sidebar is a drawer.

import { Outlet, useRouter, useRouterState } from '@tanstack/react-router'
import { Menu as MenuIcon, Search } from 'lucide-react'
import { Suspense, useEffect, useRef, useState } from 'react'
import { useLiveUpdates } from '../api/live.ts'
import { Button } from '../parts/control/button.tsx'
import { Waiting } from '../parts/feedback/states.tsx'
import { Toasts } from '../parts/feedback/toasts.tsx'
import { ConnectionBanner } from './connection-banner.tsx'
import { DeletionBanner } from './deletion-banner.tsx'
import { KeyboardHelp } from './keyboard-help.tsx'
import { Logo } from '../parts/frame/logo.tsx'
import { useSession } from '../session/session.ts'
import { Palette } from './palette/palette.tsx'
import { usePreloadedPages } from './preload-pages.ts'
import { Sidebar } from './sidebar.tsx'
import { UpdateNotice } from './update-notice.tsx'
import { useShortcuts } from './shortcuts.ts'
import './shell.css'

export function Shell() {
  const { organization } = useSession()
  useLiveUpdates(organization.id)
  const [open, setOpen] = useState<'help' | 'search'>()
  const actions = { onHelp: () => setOpen('help'), onSearch: () => setOpen('search') }
  const close = () => setOpen(undefined)
  useShortcuts(actions)
  usePreloadedPages()
  const main = useRef<HTMLElement>(null)
  useFocusOnNavigation(main)
  return (
    <div className="shell">
      <a className="skip" href="#content" onClick={() => main.current?.focus()}>
        Skip to content
      </a>
      <Drawer {...actions} />
      <aside className="sidebar">
        <Sidebar {...actions} />
      </aside>
      <div className="frame">
        <main ref={main} id="content" tabIndex={-1} className="content">
          <ConnectionBanner />
          <DeletionBanner />
          <Suspense fallback={<Waiting />}>
            {/* The key resets the page when the organization changes, so that no input carries over. */}
            <Outlet key={organization.id} />
          </Suspense>
        </main>
        <div className="dock">
          <UpdateNotice />
          <Toasts />
        </div>
      </div>
      {open === 'help' && <KeyboardHelp onClose={close} />}
      {open === 'search' && <Palette onClose={close} onHelp={actions.onHelp} />}
    </div>
  )
}

function Drawer({ onHelp, onSearch }: { onHelp: () => void; onSearch: () => void }) {
  const drawer = useRef<HTMLDialogElement>(null)
  const router = useRouter()
  useEffect(() => router.subscribe('onBeforeNavigate', () => drawer.current?.close()), [router])
  const leaveTo = (show: () => void) => () => {
    drawer.current?.close()
    show()
  }
  return (
    <>
      <header className="topbar">
        <Button kind="quiet" icon={MenuIcon} onClick={() => drawer.current?.showModal()}>
          Menu
        </Button>
        <Logo />
        <Button kind="quiet" icon={Search} className="topbar-search" onClick={onSearch}>
          Search
        </Button>
      </header>
      <dialog
        ref={drawer}
        className="drawer"
        aria-label="Menu"
        onMouseDown={(event) => event.target === drawer.current && drawer.current.close()}
      >
        <div className="sidebar">
          <Sidebar onHelp={leaveTo(onHelp)} onSearch={leaveTo(onSearch)} />
        </div>
      </dialog>
    </>
  )
}

// Screen readers continue at the new page, not at the link that was clicked.
function useFocusOnNavigation(main: React.RefObject<HTMLElement | null>): void {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const last = useRef(path)
  useEffect(() => {
    if (last.current === path) return
    last.current = path
    // A page may have focused its own field already.
    if (!main.current?.contains(document.activeElement)) main.current?.focus({ preventScroll: true })
    main.current?.scrollTo(0, 0)
    window.scrollTo(0, 0)
  }, [path, main])
}
