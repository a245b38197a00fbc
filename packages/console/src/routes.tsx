// Which address shows which page. Every page is loaded when it is first opened.

import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  type RouteComponent,
} from '@tanstack/react-router'
import { Waiting } from './parts/states.tsx'
import { PageFault } from './shell/page-fault.tsx'
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

/** What narrows a list or opens one of its rows is part of the address: it can be kept and sent. */
interface ListSearch {
  filter?: string
  open?: string
}

function readListSearch(search: Record<string, unknown>): ListSearch {
  const { filter, open } = search
  return {
    ...(typeof filter === 'string' && filter !== '' && { filter }),
    ...(typeof open === 'string' && open !== '' && { open }),
  }
}

function page<const Path extends string>(path: Path, component: RouteComponent) {
  return createRoute({ getParentRoute: () => inside, path, component, validateSearch: readListSearch })
}

function outsidePage<const Path extends string>(path: Path, component: RouteComponent) {
  return createRoute({ getParentRoute: () => root, path, component })
}

const pages = [
  page(
    '/',
    lazyRouteComponent(async () => import('./pages/start/page.tsx'), 'StartPage'),
  ),
  page(
    '/models',
    lazyRouteComponent(async () => import('./pages/models/page.tsx'), 'ModelsPage'),
  ),
  page(
    '/devices',
    lazyRouteComponent(async () => import('./pages/devices/page.tsx'), 'DevicesPage'),
  ),
  page(
    '/devices/approve',
    lazyRouteComponent(async () => import('./pages/devices/approve.tsx'), 'ApprovePage'),
  ),
  page(
    '/keys',
    lazyRouteComponent(async () => import('./pages/keys/page.tsx'), 'KeysPage'),
  ),
  page(
    '/members',
    lazyRouteComponent(async () => import('./pages/members/page.tsx'), 'MembersPage'),
  ),
  page(
    '/playground',
    lazyRouteComponent(async () => import('./pages/playground/page.tsx'), 'PlaygroundPage'),
  ),
  page(
    '/usage',
    lazyRouteComponent(async () => import('./pages/usage/page.tsx'), 'UsagePage'),
  ),
  page(
    '/audit',
    lazyRouteComponent(async () => import('./pages/audit/page.tsx'), 'AuditPage'),
  ),
  page(
    '/reference',
    lazyRouteComponent(async () => import('./pages/reference/page.tsx'), 'ReferencePage'),
  ),
  page(
    '/account',
    lazyRouteComponent(async () => import('./pages/account/page.tsx'), 'AccountPage'),
  ),
] as const

const outsidePages = [
  outsidePage(
    '/sign-in',
    lazyRouteComponent(async () => import('./pages/sign-in/page.tsx'), 'SignInPage'),
  ),
  outsidePage(
    '/set-up',
    lazyRouteComponent(async () => import('./pages/sign-in/set-up.tsx'), 'SetUpPage'),
  ),
  outsidePage(
    '/invitation',
    lazyRouteComponent(async () => import('./pages/sign-in/invitation.tsx'), 'InvitationPage'),
  ),
] as const

export const router = createRouter({
  routeTree: root.addChildren([inside.addChildren(pages), ...outsidePages]),
  defaultPreload: 'intent',
  defaultPendingComponent: Waiting,
  defaultErrorComponent: PageFault,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
