import { useQuery } from '@tanstack/react-query'
import { Sparkles, X } from 'lucide-react'
import { useState } from 'react'
import { newestBuild } from '../api/queries/build.ts'
import { runningBuild } from '../lib/build.ts'
import { Button } from '../parts/control/button.tsx'
import './update-notice.css'

/** Offers a reload once per update. It never reloads by itself, so that nothing you typed is lost. */
export function UpdateNotice() {
  const { data: newest } = useQuery(newestBuild)
  const [declined, setDeclined] = useState<string>()
  const isOffered = newest !== undefined && newest !== runningBuild() && newest !== declined
  return (
    <div className="update-notice" role="status">
      {isOffered && (
        <div className="update-notice-card">
          <Sparkles size={18} aria-hidden />
          <p>
            <strong>Hearth was updated.</strong> <span className="soft">Finish what you're doing, then reload.</span>
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
