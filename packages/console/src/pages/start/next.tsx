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
import type { Shapes } from '../../api/client.ts'
import { plural } from '../../lib/format.ts'
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
export function Next({ overview, devices }: { overview: Shapes['Overview']; devices: readonly Shapes['Device'][] }) {
  const { isAdmin } = useSession()
  const suggestions = [...(isAdmin ? forAdmins(overview, devices) : []), ...forEveryone(overview)].slice(0, MOST)
  return (
    <section className="card panel" aria-labelledby="next">
      <header className="panel-head">
        <h2 id="next">What's next</h2>
      </header>
      <ul className="panel-list">
        {suggestions.map(({ icon: Icon, title, about, to, search = {} }) => (
          <li key={title}>
            <Link to={to} search={search} className="next-line">
              <Icon size={18} aria-hidden />
              <span>
                {title}
                <span className="soft small">{about}</span>
              </span>
              <ChevronRight size={16} aria-hidden />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

function forAdmins({ models, members }: Shapes['Overview'], devices: readonly Shapes['Device'][]): Suggestion[] {
  const outdated = devices.filter(({ isOutdated }) => isOutdated).length
  return [
    ...(outdated > 0
      ? [
          suggest(
            RefreshCw,
            `Update ${plural(outdated, 'device')}`,
            outdated === 1 ? 'Its app is out of date.' : 'Their apps are out of date.',
            '/devices',
            {
              state: 'update',
            },
          ),
        ]
      : []),
    ...(models.offered > 0
      ? [
          suggest(
            Box,
            `Enable ${plural(models.offered, 'model')}`,
            models.offered === 1 ? 'Your devices already have it.' : 'Your devices already have them.',
            '/models',
            {
              state: 'offered',
            },
          ),
        ]
      : []),
    ...(devices.length === 1
      ? [
          suggest(MonitorSmartphone, 'Add a second device', 'Requests keep working when one is off.', '/devices', {
            dialog: 'add',
          }),
        ]
      : []),
    ...(members === 1
      ? [suggest(UserPlus, 'Invite someone', 'Everyone gets their own keys.', '/members', { dialog: 'add' })]
      : []),
  ]
}

function forEveryone({ keys }: Shapes['Overview']): Suggestion[] {
  return [
    suggest(MessagesSquare, 'Chat in the playground', 'Try models and settings.', '/playground'),
    ...(keys.active < 2
      ? [suggest(KeyRound, 'Create a key for each app', 'See their usage separately.', '/keys', { dialog: 'add' })]
      : []),
  ]
}

function suggest(
  icon: LucideIcon,
  title: string,
  about: string,
  to: Suggestion['to'],
  search: Suggestion['search'] = {},
): Suggestion {
  return { icon, title, about, to, search }
}
