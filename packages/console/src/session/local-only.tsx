import { TriangleAlert } from 'lucide-react'
import { Banner } from '../parts/feedback/note.tsx'
import { useRead } from './use-read.ts'

/** Warns before someone sends a link or a command to a machine on which it can't work. */
export function LocalOnly() {
  const { data } = useRead('/overview')
  if (data?.isLocalOnly !== true) return null
  return (
    <Banner icon={TriangleAlert} size={18} role="note">
      <span>
        This only works on the gateway’s own machine. Other machines can’t reach it at{' '}
        {new URL(data.gatewayUrl).hostname}. Restart the gateway with <code>HOST=0.0.0.0</code>, or set{' '}
        <code>PUBLIC_URL</code> to its address.
      </span>
    </Banner>
  )
}
