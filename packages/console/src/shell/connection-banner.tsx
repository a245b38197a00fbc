import { DatabaseZap, Unplug } from 'lucide-react'
import { useEffect, useState } from 'react'
import { connection } from '../api/connection.ts'
import { Banner } from '../parts/feedback/note.tsx'

/** Shorter interruptions are not reported. */
const REPORT_AFTER_MS = 2_000

const PROBLEMS = {
  lost: { icon: Unplug, text: "Can't reach the gateway. Data may be out of date. Reconnecting…" },
  'without-database': {
    icon: DatabaseZap,
    text: "Can't reach the database. Requests in progress and keys in use keep working for now, but changes can't be saved.",
  },
}

export function ConnectionBanner() {
  const state = connection.use()
  const isBroken = state === 'lost' || state === 'without-database'
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    if (!isBroken) return undefined
    const timer = setTimeout(() => setShown(true), REPORT_AFTER_MS)
    return () => {
      clearTimeout(timer)
      setShown(false)
    }
  }, [isBroken])
  return (
    <div role="status">
      {isBroken && isShown && <Banner icon={PROBLEMS[state].icon}>{PROBLEMS[state].text}</Banner>}
    </div>
  )
}
