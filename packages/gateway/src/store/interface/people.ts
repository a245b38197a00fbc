// People and how they sign in. Sessions and passwords are the account library's, which works on the same database.

import type { By } from './audit.ts'
import type { NewPerson } from './members.ts'

export interface PeopleStore {
  /** True once anybody can sign in. */
  isSetUp(): Promise<boolean>
  createSetUpLink(input: { digest: string; expiresAt: Date }): Promise<void>
  /** The first person, their organization and their membership, once; undefined for a wrong or late link. */
  setUp(input: {
    digest: string
    at: Date
    person: NewPerson
    organization: string
    address?: string
  }): Promise<{ person: string; organization: string } | undefined>
  signInWays(person: string): Promise<{ hasPassword: boolean; hasSecondFactor: boolean }>
  /** Every way to sign in, and every session, is void: the person needs a new link. */
  forgetSignIn(input: { person: string } & By): Promise<void>
  renamePerson(input: { person: string; name: string } & By): Promise<void>
  /** Whether somebody with this address is invited. */
  isInvited(input: { email: string; at: Date }): Promise<boolean>
  /** The value under this name, which is `fresh` when there was none. */
  gatewaySecret(input: { name: string; fresh: string }): Promise<string>
  /** What the account library reads and writes through. */
  accountTables(): Promise<AccountTables>
}

export type AccountTables = ReturnType<typeof import('better-auth/adapters/drizzle').drizzleAdapter>
