import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { overview as overviewQuery } from '../api/queries/organization.ts'
import { useSession } from './session.ts'

/** Warns before someone sends a link or a command to a machine on which it can't work. */
export function LocalOnly() {
  const { organization } = useSession()
  const { data } = useQuery(overviewQuery(organization.id))
  if (data?.isLocalOnly !== true) return null
  return (
    <p className="banner" role="note">
      <TriangleAlert size={18} aria-hidden />
      <span>
        This only works on the gateway’s own machine. Other machines can’t reach it at{' '}
        {new URL(data.gatewayUrl).hostname}. Restart the gateway with <code>HOST=0.0.0.0</code>, or set{' '}
        <code>PUBLIC_URL</code> to its address.
      </span>
    </p>
  )
}
