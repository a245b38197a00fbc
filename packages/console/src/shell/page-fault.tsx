import type { ErrorComponentProps } from '@tanstack/react-router'
import { Button } from '../parts/button.tsx'
import { Page } from '../parts/page.tsx'
import { messageOf } from '../parts/states.tsx'

/** A page that broke. After an update of the gateway its files have other names, and a reload finds them. */
export function PageFault({ error }: ErrorComponentProps) {
  const isOld = /dynamically imported module|module script/i.test(messageOf(error))
  return (
    <Page title={isOld ? 'The console was updated' : 'This page has broken'}>
      <p className="soft">
        {isOld ? 'Reload to go on with the new version.' : 'That is a fault of the console, not of what you did.'}
      </p>
      <div>
        <Button kind="primary" onClick={() => window.location.reload()}>
          Reload
        </Button>
      </div>
    </Page>
  )
}
