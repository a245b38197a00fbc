import { Badge } from '../text/badge.tsx'

/** Says so if a device doesn't have the model in memory. */
export function PresenceBadge({ presence }: { presence: 'loaded' | 'loading' | 'loadable' }) {
  if (presence === 'loaded') return null
  if (presence === 'loading') return <Badge tone="accent">Loading</Badge>
  return (
    <span title="Not in memory. The device loads it when a request needs it.">
      <Badge>Loads on demand</Badge>
    </span>
  )
}
