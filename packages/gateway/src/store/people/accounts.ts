// Lets the account library into the database.

import type { Database } from '../database/database.ts'
import { withReadableErrors } from '../database/readable-errors.ts'
import { account, passkey, session, twoFactor, verification } from '../tables/accounts.ts'
import { invitation, member, organization, person } from '../tables/people.ts'

export const accountQueries = { accountTables }

export type AccountTables = ReturnType<typeof import('better-auth/adapters/drizzle').drizzleAdapter>

/** The account library's access to the database. */
async function accountTables({ query }: Database): Promise<AccountTables> {
  // Loaded on demand: the command line does not need it.
  const { drizzleAdapter } = await import('better-auth/adapters/drizzle')
  const schema = { person, session, account, verification, twoFactor, passkey, organization, member, invitation }
  const tables = drizzleAdapter(query, { provider: 'pg', schema })
  return (options) => withReadableErrors(tables(options))
}
