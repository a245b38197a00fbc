import type { ErrorComponentProps } from '@tanstack/react-router'
import { CircleAlert } from 'lucide-react'
import { Button } from '../parts/button.tsx'
import { Empty, messageOf } from '../parts/states.tsx'

/** A page that broke. After an update of the gateway its files have other names, and a reload finds them. */
export function PageFault({ error }: ErrorComponentProps) {
  const isOld = /dynamically imported module|module script/i.test(messageOf(error))
  return (
    <Empty
      icon={CircleAlert}
      title={isOld ? 'The console was updated' : 'This page has broken'}
      action={
        <Button kind="primary" onClick={() => window.location.reload()}>
          Reload
        </Button>
      }
    >
      {isOld ? 'Reload to go on with the new version.' : 'That is a fault of the console, not of what you did.'}
    </Empty>
  )
}
