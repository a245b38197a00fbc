// Who is signed in, and which organization this tab shows. Pages inside the shell can count on both.

import { createContext, use } from 'react'
import type { Shapes } from '../api/client.ts'

interface Session {
  me: Shapes['Me']
  organization: Shapes['Membership']
  /** Owners and admins change what belongs to everybody; members have their own keys. */
  isAdmin: boolean
  chooseOrganization: (id: string) => void
}

export const SessionContext = createContext<Session | undefined>(undefined)

export function useSession(): Session {
  const session = use(SessionContext)
  if (!session) throw new Error('Only pages inside the session know who is signed in')
  return session
}
