// The signed-in person and the organization of this tab. Both always exist inside the shell.

import { createContext, use } from 'react'
import type { Schemas } from '../api/client.ts'

interface Session {
  me: Schemas['Me']
  organization: Schemas['Membership']
  /** True for owners and admins. Members only manage their own keys. */
  isAdmin: boolean
  chooseOrganization: (id: string) => void
}

export const SessionContext = createContext<Session | undefined>(undefined)

export function useSession(): Session {
  const session = use(SessionContext)
  if (!session) throw new Error('useSession must be called inside SessionGate')
  return session
}
