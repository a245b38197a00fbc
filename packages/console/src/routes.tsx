// Maps paths to pages. Pages with large libraries load when you first open them.

import { createRootRoute, createRoute, createRouter, Outlet, type RouteComponent } from '@tanstack/react-router'
import { readListSearch } from './lib/list-search.ts'
import { ApprovePage } from './pages/devices/approve/approve.tsx'
import { DevicesPage } from './pages/devices/page.tsx'
import { KeysPage } from './pages/keys/page.tsx'
import { MembersPage } from './pages/members/page.tsx'
import { InvitationPage } from './pages/sign-in/invitation.tsx'
import { SignInPage } from './pages/sign-in/page.tsx'
import { SetUpPage } from './pages/sign-in/set-up.tsx'
import { StartPage } from './pages/start/page.tsx'
import { Skeleton } from './parts/feedback/states.tsx'
import { lazyPage } from './shell/lazy-page.tsx'
import { PageError } from './shell/page-error.tsx'
import { NotFound } from './shell/not-found.tsx'
import { SessionGate } from './shell/session-gate.tsx'
import { Shell } from './shell/shell.tsx'

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound })

const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  component: () => (
    <SessionGate>
      <Shell />
    </SessionGate>
  ),
})

function page<const Path extends string>(path: Path, component: RouteComponent) {
  return createRoute({ getParentRoute: () => inside, path, component, validateSearch: readListSearch })
}

/** A page whose code loads when it is first opened. */
function laterPage<const Path extends string, Name extends string>(
  path: Path,
  ...lazy: Parameters<typeof lazyPage<Name>>
) {
  return page(path, lazyPage(...lazy))
}

function outsidePage<const Path extends string>(path: Path, component: RouteComponent) {
  return createRoute({ getParentRoute: () => root, path, component })
}

const pages = [
  page('/', StartPage),
  laterPage('/models', () => import('./pages/models/page.tsx'), 'ModelsPage'),
  page('/devices', DevicesPage),
  page('/devices/approve', ApprovePage),
  // Short enough to type from a device's screen.
  page('/device', ApprovePage),
  page('/keys', KeysPage),
  page('/members', MembersPage),
  laterPage('/playground', () => import('./pages/playground/page.tsx'), 'PlaygroundPage'),
  laterPage('/usage', () => import('./pages/usage/page.tsx'), 'UsagePage'),
  laterPage('/audit', () => import('./pages/audit/page.tsx'), 'AuditPage'),
  laterPage('/help', () => import('./pages/help/page.tsx'), 'HelpPage'),
  laterPage('/help/$', () => import('./pages/help/page.tsx'), 'HelpPage'),
  laterPage('/settings', () => import('./pages/settings/page.tsx'), 'SettingsPage'),
  laterPage('/account', () => import('./pages/account/page.tsx'), 'AccountPage'),
] as const

const outsidePages = [
  outsidePage('/sign-in', SignInPage),
  outsidePage('/set-up', SetUpPage),
  outsidePage('/invitation', InvitationPage),
] as const

export const router = createRouter({
  routeTree: root.addChildren([inside.addChildren(pages), ...outsidePages]),
  defaultPreload: 'intent',
  defaultPendingComponent: Skeleton,
  defaultErrorComponent: PageError,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
