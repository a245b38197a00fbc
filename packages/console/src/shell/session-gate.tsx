// Shows the console to people who are signed in and belong to an organization. Everyone else sees how to get there.

import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState, type ReactNode } from 'react'
import { api, send, type Schemas } from '../api/client.ts'
import { me as meQuery } from '../api/person.ts'
import { takeReturnPath } from '../lib/return-path.ts'
import { Failed } from '../parts/feedback/states.tsx'
import { SignIn } from '../pages/sign-in/sign-in.tsx'
import { NoOrganization } from '../pages/sign-in/no-organization.tsx'
import { keepChosenOrganization, readChosenOrganization } from '../session/chosen-organization.ts'
import { SessionContext } from '../session/session.ts'
import { Splash } from '../parts/frame/splash.tsx'

/** The URL stays the same during sign-in, so people land on the page they asked for. */
export function SessionGate({ children }: { children: ReactNode }) {
  const query = useQuery(meQuery)
  const [wasSignedIn, setWasSignedIn] = useState(false)
  useReturnPath(query.data !== undefined && query.data !== null)
  if (query.data === undefined)
    return query.error ? (
      <Splash>
        <Failed error={query.error} onRetry={() => void query.refetch()} />
      </Splash>
    ) : (
      <Splash />
    )
  if (query.data === null) return <SignIn hasEnded={wasSignedIn} />
  if (!wasSignedIn) setWasSignedIn(true)
  return <OrganizationGate me={query.data}>{children}</OrganizationGate>
}

/** Returns people who signed in with a provider to the page they came from. */
function useReturnPath(isSignedIn: boolean): void {
  const { history } = useRouter()
  useEffect(() => {
    const path = isSignedIn ? takeReturnPath() : null
    if (path !== null) history.replace(path)
  }, [isSignedIn, history])
}

function OrganizationGate({ me, children }: { me: Schemas['Me']; children: ReactNode }) {
  const [chosen, setChosen] = useState(readChosenOrganization)
  const organization =
    me.organizations.find(({ id }) => id === chosen) ??
    me.organizations.find(({ id }) => id === me.activeOrganization) ??
    me.organizations[0]
  if (!organization) return <NoOrganization me={me} />

  function chooseOrganization(id: string): void {
    keepChosenOrganization(id)
    setChosen(id)
    // This is only for the next visit, so a failure does not matter.
    void send(api.PUT('/me/active-organization', { body: { organization: id } })).catch(() => {})
  }

  const isAdmin = organization.role !== 'member'
  return <SessionContext value={{ me, organization, isAdmin, chooseOrganization }}>{children}</SessionContext>
}
