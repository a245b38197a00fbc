import { Unplug } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useConnection } from '../api/live.ts'

/** Shorter interruptions are not reported. */
const PATIENCE_MS = 2_000

export function ConnectionBanner() {
  const isLost = useConnection() === 'lost'
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    if (!isLost) return undefined
    const timer = setTimeout(() => setShown(true), PATIENCE_MS)
    return () => {
      clearTimeout(timer)
      setShown(false)
    }
  }, [isLost])
  return (
    <div role="status">
      {isShown && (
        <p className="banner">
          <Unplug size={17} aria-hidden />
          Can't reach the gateway. Data may be out of date. Reconnecting…
        </p>
      )}
    </div>
  )
}
