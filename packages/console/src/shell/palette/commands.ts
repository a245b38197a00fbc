// Everything the palette can open or do. Rows of lists are looked up only once something is typed.

import { useNavigate } from '@tanstack/react-router'
import {
  ArrowLeftRight,
  Braces,
  Copy,
  Hash,
  Keyboard,
  LogOut,
  Monitor,
  Moon,
  Plus,
  Sun,
  UserPlus,
  UserRound,
  type LucideIcon,
} from 'lucide-react'
import { setTheme } from '../../lib/theme.ts'
import { copyText } from '../../parts/code/copy-button.tsx'
import { showToast } from '../../parts/feedback/toasts.tsx'
import { signOut } from '../../session/sign-out.ts'
import { useSession } from '../../session/session.ts'
import { useSidebarPages } from '../../session/sidebar-pages.ts'

export interface Command {
  id: string
  group: string
  title: string
  /** Shown after the title. */
  detail?: string
  /** More words that find it. */
  words?: string
  icon: LucideIcon
  run: () => void
}

export function usePageCommands(): Command[] {
  const navigate = useNavigate()
  const page = (id: string, command: Omit<Command, 'id' | 'group'>) => ({
    id: `page ${id}`,
    group: 'Pages',
    ...command,
  })
  return [
    ...useSidebarPages().map(({ path, title, icon, key }) =>
      page(path, {
        title,
        detail: `g ${key}`,
        words: 'go to open page',
        icon,
        run: () => void navigate({ to: path }),
      }),
    ),
    page('/help/api', {
      title: 'API reference',
      words: 'help openapi operations fields',
      icon: Braces,
      run: () => void navigate({ to: '/help/$', params: { _splat: 'api/public' } }),
    }),
    page('/account', {
      title: 'Your account',
      words: 'password name two-factor settings profile',
      icon: UserRound,
      run: () => void navigate({ to: '/account' }),
    }),
  ]
}

/** `baseUrl` is undefined until it is known. */
export function useActionCommands({ baseUrl, onHelp }: { baseUrl: string | undefined; onHelp: () => void }): Command[] {
  const navigate = useNavigate()
  const { isAdmin } = useSession()
  const add = (to: '/keys' | '/devices' | '/models' | '/members') => () =>
    void navigate({ to, search: { dialog: 'add' } })
  const action = (title: string, icon: LucideIcon, run: () => void, words = ''): Command => ({
    id: `action ${title}`,
    group: 'Actions',
    title,
    words,
    icon,
    run,
  })
  return [
    action('Create a key', Plus, add('/keys'), 'new api key token'),
    ...(isAdmin
      ? [
          action('Add a device', Plus, add('/devices'), 'new machine computer install connect'),
          action('Add a model', Plus, add('/models'), 'enable new model'),
          action('Invite someone', UserPlus, add('/members'), 'new member person team'),
          action('Enter a device code', Hash, () => void navigate({ to: '/devices/approve' }), 'approve join'),
        ]
      : []),
    ...(baseUrl === undefined ? [] : [action('Copy base URL', Copy, () => void copyBaseUrl(baseUrl), 'api address')]),
    action('Use dark theme', Moon, () => setTheme('dark'), 'switch appearance mode'),
    action('Use light theme', Sun, () => setTheme('light'), 'switch appearance mode'),
    action('Use system theme', Monitor, () => setTheme('system'), 'switch appearance mode automatic'),
    action('Keyboard shortcuts', Keyboard, onHelp, 'help keys'),
    action('Sign out', LogOut, () => void signOut(), 'log out leave'),
  ]
}

async function copyBaseUrl(baseUrl: string): Promise<void> {
  await copyText(baseUrl)
  showToast('Base URL copied')
}

export function useOrganizationCommands(): Command[] {
  const navigate = useNavigate()
  const { me, organization, chooseOrganization } = useSession()
  return me.organizations
    .filter(({ id }) => id !== organization.id)
    .map(({ id, name }) => ({
      id: `organization ${id}`,
      group: 'Organizations',
      title: `Switch to ${name}`,
      words: 'change organization',
      icon: ArrowLeftRight,
      run: () => {
        chooseOrganization(id)
        void navigate({ to: '/' })
      },
    }))
}
