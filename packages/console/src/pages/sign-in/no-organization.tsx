import { useState } from 'react'
import type { Shapes } from '../../api/client.ts'
import { api, send } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import { Name } from '../../parts/name.tsx'
import { NewOrganizationDialog } from '../../session/organization-dialogs.tsx'
import { Splash } from '../../parts/splash.tsx'

/** Somebody who is in no organization: they left the last one, or were removed. */
export function NoOrganization({ me }: { me: Shapes['Me'] }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Splash>
      <div className="card card-body stack">
        <h1>No organization</h1>
        <p className="soft">
          You are signed in as <Name text={me.person.email} isStrong />, who belongs to no organization. Open the link
          of an invitation to join one{me.mayCreateOrganization ? ', or make your own' : ''}.
        </p>
        {me.mayCreateOrganization && (
          <Button kind="primary" onClick={() => setOpen(true)}>
            New organization
          </Button>
        )}
        <Button onClick={() => void signOut()}>Sign out</Button>
      </div>
      {isOpen && <NewOrganizationDialog onClose={() => setOpen(false)} onMade={() => setOpen(false)} />}
    </Splash>
  )
}

async function signOut(): Promise<void> {
  await send(api.POST('/sign-out'))
  window.location.assign('/')
}
