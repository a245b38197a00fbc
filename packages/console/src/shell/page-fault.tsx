import type { ErrorComponentProps } from '@tanstack/react-router'
import { Button } from '../parts/button.tsx'
import { Page } from '../parts/page.tsx'
import { messageOf } from '../parts/states.tsx'

/** Shown when a page crashes. After a gateway update, its files have new names, and a reload finds them. */
export function PageFault({ error }: ErrorComponentProps) {
  const isOld = /dynamically imported module|module script/i.test(messageOf(error))
  return (
    <Page title={isOld ? 'The console was updated' : 'Something went wrong'}>
      <p className="soft">
        {isOld ? 'Reload to use the new version.' : 'This is a bug in the console. Reload the page to continue.'}
      </p>
      <div>
        <Button kind="primary" onClick={() => window.location.reload()}>
          Reload
        </Button>
      </div>
    </Page>
  )
}
