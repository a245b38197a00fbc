import type { ErrorComponentProps } from '@tanstack/react-router'
import { Bug } from 'lucide-react'
import { useTitle } from '../lib/use-title.ts'
import { PartNotLoaded } from '../lib/lazy-part.ts'
import { Button } from '../parts/control/button.tsx'
import { Empty } from '../parts/feedback/states.tsx'
import { NotLoaded } from './not-loaded.tsx'

/** Shown when a page crashes. The menu still works. */
export function PageError({ error, reset }: ErrorComponentProps) {
  return error instanceof PartNotLoaded ? <NotLoaded /> : <Crashed onRetry={reset} />
}

function Crashed({ onRetry }: { onRetry: () => void }) {
  useTitle('Something went wrong')
  return (
    <div role="alert">
      <Empty
        icon={Bug}
        title="Something went wrong"
        level={1}
        action={
          <div className="row">
            <Button kind="primary" onClick={() => window.location.reload()}>
              Reload
            </Button>
            <Button onClick={onRetry}>Try again</Button>
          </div>
        }
      >
        This is a bug in the console. Your devices and the API are not affected.
      </Empty>
    </div>
  )
}
