// The frame around every page: sidebar, connection banner, keyboard shortcuts. On a phone, the sidebar is a drawer.

import { Link, Outlet, useRouter, useRouterState } from '@tanstack/react-router'
import { Menu as MenuIcon, Search, DatabaseZap, Unplug, Trash2, Sparkles, X, Gauge } from 'lucide-react'
import { Suspense, useEffect, useRef, useState } from 'react'
import { useLiveUpdates } from '../api/live.ts'
import { Button } from '../parts/control/button.tsx'
import { Skeleton } from '../parts/feedback/states.tsx'
import { Toasts, report } from '../parts/feedback/toasts.tsx'
import { KeyboardHelp } from './keyboard-help.tsx'
import { Logo } from '../parts/frame/logo.tsx'
import { useSession } from '../session/session.ts'
import { Palette } from './palette/palette.tsx'
import { Sidebar } from './sidebar.tsx'
import { useShortcuts } from './shortcuts.ts'
import { connection } from '../api/connection.ts'
import type { Schemas } from '../api/client.ts'
import { Banner } from '../parts/feedback/note.tsx'
import { formatDateTime, formatShort } from '../lib/format.ts'
import { showOddCharacters } from '../lib/odd-characters.ts'
import { useRead } from '../session/use-read.ts'
import { useChange } from '../session/use-change.ts'
import { SIDEBAR_PAGES } from '../session/sidebar-pages.ts'
import { useQuery, queryOptions } from '@tanstack/react-query'
import { runningBuild, readNewestBuild } from '../lib/build.ts'

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

/** Shorter interruptions are not reported. */
const REPORT_AFTER_MS = 2_000

const PROBLEMS = {
  lost: { icon: Unplug, text: "Can't reach the gateway. Data may be out of date. Reconnecting…" },
  'without-database': {
    icon: DatabaseZap,
    text: "Can't reach the database. Requests in progress and keys in use keep working for now, but changes can't be saved.",
  },
}

function ConnectionBanner() {
  const state = connection.use()
  const isBroken = state === 'lost' || state === 'without-database'
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    if (!isBroken) return undefined
    const timer = setTimeout(() => setShown(true), REPORT_AFTER_MS)
    return () => {
      clearTimeout(timer)
      setShown(false)
    }
  }, [isBroken])
  return (
    <div role="status">
      {isBroken && isShown && <Banner icon={PROBLEMS[state].icon}>{PROBLEMS[state].text}</Banner>}
    </div>
  )
}

/** Says that the organization is being deleted, and lets owners keep it. */
function DeletionBanner() {
  const { deletesAt, role } = useSession().organization
  const { mutateAsync, isPending } = useChange(['organization', 'keys', 'devices'], async (own) => own.post('/restore'))
  return (
    <div role="status">
      {deletesAt !== null && (
        <Banner icon={Trash2}>
          <p className="flex-1">
            This organization will be deleted on {formatDateTime(deletesAt)}. Its API keys don't work, and nothing can
            be changed. {role !== 'owner' && 'An owner can restore it until then.'}
          </p>
          {role === 'owner' && (
            <Button isBusy={isPending} onClick={() => report(mutateAsync(), 'Organization restored')}>
              Restore
            </Button>
          )}
        </Banner>
      )}
    </div>
  )
}

/** From here on the console says how much of a budget is used. Responses of the API have it in a header. */
const WARN_SHARE = 0.8

function BudgetBanner() {
  const { me } = useSession()
  const { data } = useRead('/budgets')
  const near = data?.budgets.filter(({ used, tokens }) => used >= tokens * WARN_SHARE) ?? []
  const [first] = near
  return (
    <div role="status">
      {data && first && (
        <Banner icon={Gauge}>
          <span>
            {describeBudget(first, me.person.id)}{' '}
            {first.used >= first.tokens && `Requests get a 429 until ${formatDateTime(data.startsAgain)}.`}{' '}
            <Link to="/usage">{near.length > 1 ? `See this and ${near.length - 1} more` : 'See usage'}</Link>
          </span>
        </Banner>
      )}
    </div>
  )
}

function describeBudget({ holder, id, name, used, tokens }: Schemas['Budget'], you: string): string {
  const of =
    holder === 'organization' ? 'this organization' : `${holder === 'key' ? 'key ' : ''}${showOddCharacters(name)}`
  const whose = holder === 'member' && id === you ? 'Your monthly budget' : `The monthly budget of ${of}`
  if (used >= tokens) return `${whose} is used up: ${formatShort(tokens)} tokens.`
  return `${whose} is ${Math.floor((used / tokens) * 100)}% used: ${formatShort(used)} of ${formatShort(tokens)} tokens.`
}

// Loads the code of all pages while the browser has nothing else to do. They then open at once, also while the gateway restarts.
/** The first page gets its data first. */
const PRELOAD_AFTER_MS = 3_000

function usePreloadedPages(): void {
  const router = useRouter()
  useEffect(() => {
    if (savesData()) return undefined
    const timer = setTimeout(() => {
      for (const path of ['/account', ...SIDEBAR_PAGES.map(({ path }) => path)]) void router.preloadRoute({ to: path })
    }, PRELOAD_AFTER_MS)
    return () => clearTimeout(timer)
  }, [router])
}

// Not in all browsers, so not in the standard types.
function savesData(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } }
  return connection?.saveData === true
}

/** Offers a reload once per update. It never reloads by itself, so that nothing you typed is lost. */
function UpdateNotice() {
  const { data: newest } = useQuery(newestBuild)
  const [declined, setDeclined] = useState<string>()
  const isOffered = newest !== undefined && newest !== runningBuild() && newest !== declined
  return (
    <div role="status">
      {isOffered && (
        <div className="flex items-center gap-7.5 w-fit mt-5 mx-auto mb-10 py-6 pr-6 pl-10 bg-raised border border-line-strong rounded-large shadow-large">
          <Sparkles size={18} className="text-info-mark" aria-hidden />
          <p>
            <strong>Hearth was updated.</strong>{' '}
            <span className="text-soft">Finish what you're doing, then reload.</span>
          </p>
          <Button kind="primary" size="small" onClick={() => window.location.reload()}>
            Reload
          </Button>
          <Button kind="quiet" size="small" icon={X} aria-label="Not now" onClick={() => setDeclined(newest)} />
        </div>
      )}
    </div>
  )
}

/** Changes when the gateway is updated. Read again with everything else when the gateway is back. */
const newestBuild = queryOptions({ queryKey: ['build'], queryFn: readNewestBuild })
