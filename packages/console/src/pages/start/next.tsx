import { Link } from '@tanstack/react-router'
import {
  ChevronRight,
  KeyRound,
  MessagesSquare,
  MonitorSmartphone,
  Box,
  RefreshCw,
  UserPlus,
  type LucideIcon,
} from 'lucide-react'
import type { Schemas } from '../../api/client.ts'
import { plural } from '../../lib/format.ts'
import { hasUsedPlayground } from '../../session/playground-use.ts'
import { useSession } from '../../session/session.ts'

interface Suggestion {
  icon: LucideIcon
  title: string
  about: string
  to: '/devices' | '/models' | '/keys' | '/members' | '/playground'
  search?: { dialog?: 'add'; state?: string }
}

/** A longer list is a chore. */
const MOST = 4

/** Suggestions, the most useful first. */
export function Next({ overview, devices }: { overview: Schemas['Overview']; devices: readonly Schemas['Device'][] }) {
  const { isAdmin } = useSession()
  const suggestions = suggestionsFor(overview, devices, isAdmin).slice(0, MOST)
  if (suggestions.length === 0) return null
  return (
    <section className="card pt-12.5 pb-5" aria-labelledby="next">
      <h2 id="next" className="px-12.5 pb-5">
        What's next
      </h2>
      <ul>
        {suggestions.map(({ icon: Icon, title, about, to, search = {} }) => (
          <li key={title}>
            <Link
              to={to}
              search={search}
              className="grid grid-cols-[auto_minmax(0,1fr)_auto] gap-8.5 items-center text-inherit no-underline transition-[background] px-12.5 py-5.5 hover:bg-hover focus-visible:-outline-offset-2 [&>svg]:text-faint"
            >
              <Icon size={18} aria-hidden />
              <span className="grid">
                {title}
                <span className="text-soft text-small">{about}</span>
              </span>
              <ChevronRight size={16} aria-hidden />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

function suggestionsFor(
  { models, members, keys }: Schemas['Overview'],
  devices: readonly Schemas['Device'][],
  isAdmin: boolean,
): Suggestion[] {
  const outdated = devices.filter(({ isOutdated }) => isOutdated).length
  const all: (Suggestion | false)[] = [
    isAdmin &&
      outdated > 0 && {
        icon: RefreshCw,
        title: `Update ${plural(outdated, 'device')}`,
        about: outdated === 1 ? 'Its app is out of date.' : 'Their apps are out of date.',
        to: '/devices',
        search: { state: 'update' },
      },
    isAdmin &&
      models.offered > 0 && {
        icon: Box,
        title: `Enable ${plural(models.offered, 'model')}`,
        about: models.offered === 1 ? 'Your devices already have it.' : 'Your devices already have them.',
        to: '/models',
        search: { state: 'offered' },
      },
    isAdmin &&
      devices.length === 1 && {
        icon: MonitorSmartphone,
        title: 'Add a second device',
        about: 'Requests keep working when one is off.',
        to: '/devices',
        search: { dialog: 'add' },
      },
    isAdmin &&
      members === 1 && {
        icon: UserPlus,
        title: 'Invite someone',
        about: 'Everyone gets their own keys.',
        to: '/members',
        search: { dialog: 'add' },
      },
    !hasUsedPlayground() && {
      icon: MessagesSquare,
      title: 'Chat in the playground',
      about: 'Try models and settings.',
      to: '/playground',
    },
    keys.active < 2 && {
      icon: KeyRound,
      title: 'Create a key for each app',
      about: 'See their usage separately.',
      to: '/keys',
      search: { dialog: 'add' },
    },
  ]
  return all.filter((one) => one !== false)
}
