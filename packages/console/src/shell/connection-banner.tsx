import { DatabaseZap, Unplug } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useConnection } from '../api/connection.ts'

/** Shorter interruptions are not reported. */
const PATIENCE_MS = 2_000

const PROBLEMS = {
  lost: { icon: Unplug, text: "Can't reach the gateway. Data may be out of date. Reconnecting…" },
  'without-database': {
    icon: DatabaseZap,
    text: "Can't reach the database. Requests in progress and keys in use keep working for now, but changes can't be saved.",
  },
}

export function ConnectionBanner() {
  const connection = useConnection()
  const isBroken = connection === 'lost' || connection === 'without-database'
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    if (!isBroken) return undefined
    const timer = setTimeout(() => setShown(true), PATIENCE_MS)
    return () => {
      clearTimeout(timer)
      setShown(false)
    }
  }, [isBroken])
  return <div role="status">{isBroken && isShown && <Problem {...PROBLEMS[connection]} />}</div>
}

function Problem({ icon: Icon, text }: (typeof PROBLEMS)[keyof typeof PROBLEMS]) {
  return (
    <p className="banner">
      <Icon size={17} aria-hidden />
      {text}
    </p>
  )
}
