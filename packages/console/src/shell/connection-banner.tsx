import { Unplug } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useConnection } from '../api/live.ts'

/** A moment without the gateway is not worth a word. */
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
          The gateway does not answer. What you see may be old; it is tried again by itself.
        </p>
      )}
    </div>
  )
}
