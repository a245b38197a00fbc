// Lets the account library into the database, and does there what the library does not.

import { and, eq, isNull, lt, or, sql } from 'drizzle-orm'
import type { Database } from '../database/database.ts'
import { withReadableErrors } from '../database/readable-errors.ts'
import { account, passkey, session, twoFactor, verification } from '../tables/accounts.ts'
import { invitation, member, organization, person } from '../tables/people.ts'

export const accountQueries = { accountTables, useStep, replacePasswordHash, renewSession }

export type AccountTables = ReturnType<typeof import('better-auth/adapters/drizzle').drizzleAdapter>

/** The account library's access to the database. */
async function accountTables({ query }: Database): Promise<AccountTables> {
  // Loaded on demand: the command line does not need it.
  const { drizzleAdapter } = await import('better-auth/adapters/drizzle')
  const schema = { person, session, account, verification, twoFactor, passkey, organization, member, invitation }
  const tables = drizzleAdapter(query, { provider: 'pg', schema })
  return (options) => withReadableErrors(tables(options))
}

/** Uses up the code of these thirty seconds, and all before them. False if somebody has: of two at the same moment, one gets true. */
async function useStep({ query }: Database, { person: id, step }: { person: string; step: number }): Promise<boolean> {
  const isNew = or(isNull(twoFactor.lastStep), lt(twoFactor.lastStep, step))
  const used = await query
    .update(twoFactor)
    .set({ lastStep: step })
    .where(and(eq(twoFactor.userId, id), isNew))
    .returning({ id: twoFactor.id })
  return used.length > 0
}

/** The hash has a salt, so it is one person's. Nothing happens if that person has chosen another password meanwhile. */
async function replacePasswordHash({ query }: Database, { from, to }: { from: string; to: string }): Promise<void> {
  await query.update(account).set({ password: to }).where(eq(account.password, from))
}

/** Notes a visit. */
async function renewSession({ query }: Database, { id, expiresAt }: { id: string; expiresAt: Date }): Promise<void> {
  await query
    .update(session)
    .set({ expiresAt, updatedAt: sql`now()` })
    .where(eq(session.id, id))
}
