import { Sparkles, X } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../parts/control/button.tsx'
import { useQuery, queryOptions } from '@tanstack/react-query'
import { runningBuild, readNewestBuild } from '../lib/build.ts'

/** Offers a reload once per update. It never reloads by itself, so that nothing you typed is lost. */
export function UpdateNotice() {
  const { data: newest } = useQuery(newestBuild)
  const [declined, setDeclined] = useState<string>()
  const isOffered = newest !== undefined && newest !== runningBuild() && newest !== declined
  return (
    <div role="status">
      {isOffered && (
        <div className="flex items-center gap-7.5 w-fit mt-5 mx-auto mb-10 py-6 pr-6 pl-10 bg-raised border border-line-strong rounded-large shadow-large">
          <Sparkles size={18} className="text-info-mark" aria-hidden />
          <p>
            <strong>Hearth was updated.</strong>{' '}
            <span className="text-soft">Finish what you're doing, then reload.</span>
          </p>
          <Button kind="primary" size="small" onClick={() => window.location.reload()}>
            Reload
          </Button>
          <Button kind="quiet" size="small" icon={X} aria-label="Not now" onClick={() => setDeclined(newest)} />
        </div>
      )}
    </div>
  )
}

/** Changes when the gateway is updated. Read again with everything else when the gateway is back. */
const newestBuild = queryOptions({ queryKey: ['build'], queryFn: readNewestBuild })
