// People and how they sign in. Sessions and passwords belong to the account library, which uses the same database.

import type { By } from './audit.ts'
import type { NewPerson } from './members.ts'

export interface PeopleStore {
  /** True once someone can sign in. */
  isSetUp(): Promise<boolean>
  createSetUpLink(input: { digest: string; expiresAt: Date }): Promise<void>
  /** Creates the first person, their organization and their membership, once; undefined for a wrong or expired link. */
  setUp(input: {
    digest: string
    at: Date
    person: NewPerson
    organization: string
    address?: string
  }): Promise<{ person: string; organization: string } | undefined>
  signInWays(person: string): Promise<{ hasPassword: boolean; hasSecondFactor: boolean }>
  /** Deletes every sign-in method and session of the person, who then needs a new link. */
  forgetSignIn(input: { person: string } & By): Promise<void>
  renamePerson(input: { person: string; name: string } & By): Promise<void>
  /** Whether there is an invitation for this email address. */
  isInvited(input: { email: string; at: Date }): Promise<boolean>
  /** Returns the secret with this name; if there is none, stores and returns `fresh`. */
  gatewaySecret(input: { name: string; fresh: string }): Promise<string>
  /** The account library's access to the database. */
  accountTables(): Promise<AccountTables>
}

export type AccountTables = ReturnType<typeof import('better-auth/adapters/drizzle').drizzleAdapter>
