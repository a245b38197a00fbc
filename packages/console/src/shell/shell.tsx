// The frame around every page: sidebar, connection banner, keyboard shortcuts. On a phone, the sidebar is a drawer.

import { Outlet, useRouter, useRouterState } from '@tanstack/react-router'
import { Menu as MenuIcon, Search } from 'lucide-react'
import { Suspense, useEffect, useRef, useState } from 'react'
import { useLiveUpdates } from '../api/live.ts'
import { Button } from '../parts/control/button.tsx'
import { Skeleton } from '../parts/feedback/states.tsx'
import { Toasts } from '../parts/feedback/toasts.tsx'
import { KeyboardHelp } from './keyboard-help.tsx'
import { Logo } from '../parts/frame/logo.tsx'
import { useSession } from '../session/session.ts'
import { Palette } from './palette/palette.tsx'
import { Sidebar } from './sidebar.tsx'
import { useShortcuts } from './shortcuts.ts'
import { usePreloadedPages } from './use-preloaded-pages.ts'
import { UpdateNotice } from './update-notice.tsx'
import { BudgetBanner } from './budget-banner.tsx'
import { DeletionBanner } from './deletion-banner.tsx'
import { ConnectionBanner } from './connection-banner.tsx'

const SIDEBAR =
  'sticky top-0 flex flex-col gap-7.5 w-sidebar h-dvh pt-11.5 px-8.5 pb-8.5 overflow-y-auto bg-sunken border-r border-line'

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
    <div className="grid grid-cols-[var(--spacing-sidebar)_minmax(0,1fr)] min-h-dvh tablet:grid-cols-[minmax(0,1fr)] tablet:grid-rows-[auto_minmax(0,1fr)] tablet:has-[.page-fill]:h-dvh">
      <a
        className="absolute top-5 left-5 z-40 bg-raised rounded px-8 py-5 -translate-y-[200%] focus:translate-y-0"
        href="#content"
        onClick={() => main.current?.focus()}
      >
        Skip to content
      </a>
      <Drawer {...actions} />
      <aside className={`${SIDEBAR} tablet:hidden`}>
        <Sidebar {...actions} />
      </aside>
      <div className="flex flex-col min-w-0 h-dvh tablet:h-auto tablet:min-h-0">
        <main ref={main} id="content" tabIndex={-1} className="content">
          <ConnectionBanner />
          <DeletionBanner />
          <BudgetBanner />
          <Suspense fallback={<Skeleton />}>
            {/* The key resets the page when the organization changes, so that no input carries over. */}
            <Outlet key={organization.id} />
          </Suspense>
        </main>
        {/* Messages have a place of their own below the page, so they cover nothing of it. Where the whole document scrolls, what is under
            them scrolls out from under them. */}
        <div className="flex-none px-25 tablet:sticky tablet:bottom-0 tablet:z-10 tablet:px-10 tablet:bg-ground">
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
      <header className="hidden sticky top-0 z-10 items-center gap-5 px-7.5 py-2.5 bg-ground/88 backdrop-blur-[10px] border-b border-line tablet:flex">
        <Button kind="quiet" icon={MenuIcon} onClick={() => drawer.current?.showModal()}>
          Menu
        </Button>
        <Logo />
        <Button kind="quiet" icon={Search} className="tablet:ml-auto" onClick={onSearch}>
          Search
        </Button>
      </header>
      <dialog
        ref={drawer}
        className="hidden w-[min(19rem,85vw)] h-dvh max-h-none m-0 p-0 bg-transparent border-0 tablet:open:block"
        aria-label="Menu"
        onMouseDown={(event) => event.target === drawer.current && drawer.current.close()}
      >
        <div className={`${SIDEBAR} tablet:w-full`}>
          <Sidebar onHelp={leaveTo(onHelp)} onSearch={leaveTo(onSearch)} />
        </div>
      </dialog>
    </>
  )
}

/** Screen readers continue at the new page, not at the link that was clicked. */
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
