import { CloudOff, RotateCw, Sparkles, type LucideIcon } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { connection } from '../api/connection.ts'
import { compareBuilds } from '../lib/build.ts'
import { useTitle } from '../lib/use-title.ts'
import { Button } from '../parts/control/button.tsx'
import { Empty, Skeleton } from '../parts/feedback/states.tsx'

type Reason = Awaited<ReturnType<typeof compareBuilds>>

const REASONS: Record<Reason, { icon: LucideIcon; title: string; about: string }> = {
  unreachable: {
    icon: CloudOff,
    title: "Can't reach the gateway",
    about: 'This page isn’t loaded yet. It opens as soon as the gateway is back.',
  },
  newer: {
    icon: Sparkles,
    title: 'Hearth was updated',
    about: 'Reload to open this page in the new version.',
  },
  same: {
    icon: CloudOff,
    title: "This page didn't load",
    about: 'The connection was interrupted. Reload to try again.',
  },
}

/** In place of a page whose code did not load: finds out why, and what helps. */
export function NotLoaded() {
  const [reason, setReason] = useState<Reason>()
  const isAway = reason === 'unreachable'
  useEffect(() => {
    void compareBuilds().then(setReason)
  }, [])
  useReloadOnceBack(isAway)
  useTitle(reason && REASONS[reason].title)
  if (reason === undefined) return <Skeleton />
  const { icon, title, about } = REASONS[reason]
  return (
    <div role="alert">
      <Empty
        icon={icon}
        title={title}
        level={1}
        action={
          <Button kind="primary" icon={RotateCw} onClick={() => void reloadIfReachable()}>
            {isAway ? 'Try again' : 'Reload'}
          </Button>
        }
      >
        {about}
      </Empty>
    </div>
  )
}

/** Otherwise the browser would replace the console with an error page. */
async function reloadIfReachable(): Promise<void> {
  if ((await compareBuilds()) !== 'unreachable') window.location.reload()
}

function useReloadOnceBack(isAway: boolean): void {
  const state = connection.use()
  const before = useRef(state)
  useEffect(() => {
    if (isAway && state === 'open' && before.current !== 'open') void reloadIfReachable()
    before.current = state
  }, [isAway, state])
}
