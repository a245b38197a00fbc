import { formatDateTime, formatRelative } from '../../lib/format.ts'
import { useNow } from '../../lib/now.ts'

/** A relative time, with the exact time in the viewer's time zone on hover. */
export function RelativeTime({ at, none = 'never' }: { at: string | null; none?: string }) {
  const now = useNow()
  if (at === null) return <span className="text-faint">{none}</span>
  return (
    <time dateTime={at} title={formatDateTime(at)}>
      {formatRelative(at, now)}
    </time>
  )
}
