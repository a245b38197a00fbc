// Lets the account library into the database, and keeps the secret that it signs with.

import { eq } from 'drizzle-orm'
import type { Database } from '../database/database.ts'
import { onlyRow } from '../database/only-row.ts'
import { withReadableErrors } from '../database/readable-errors.ts'
import { account, passkey, session, twoFactor, verification } from '../tables/accounts.ts'
import { gatewaySecret as secret } from '../tables/gateway-secrets.ts'
import { invitation, member, organization, person } from '../tables/people.ts'

export const accountQueries = { accountTables, gatewaySecret }

export type AccountTables = ReturnType<typeof import('better-auth/adapters/drizzle').drizzleAdapter>

/** The account library's access to the database. */
async function accountTables({ query }: Database): Promise<AccountTables> {
  // Loaded on demand: the command line does not need it.
  const { drizzleAdapter } = await import('better-auth/adapters/drizzle')
  const schema = { person, session, account, verification, twoFactor, passkey, organization, member, invitation }
  const tables = drizzleAdapter(query, { provider: 'pg', schema })
  return (options) => withReadableErrors(tables(options))
}

/** Returns the secret with this name; if there is none, stores and returns `fresh`. */
async function gatewaySecret({ query }: Database, { name, fresh }: { name: string; fresh: string }): Promise<string> {
  await query.insert(secret).values({ name, value: fresh }).onConflictDoNothing()
  return onlyRow(await query.select().from(secret).where(eq(secret.name, name))).value
}
