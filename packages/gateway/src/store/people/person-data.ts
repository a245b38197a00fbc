// What is kept about a person beyond their organizations: who they are, and how and from where they sign in. No secret, hash or digest.

import { eq, getTableColumns } from 'drizzle-orm'
import type { Database } from '../database/database.ts'
import { account, passkey, session } from '../tables/accounts.ts'
import { accountActivity } from '../tables/activity.ts'
import { person } from '../tables/people.ts'

export const personDataQueries = { readPersonData }

async function readPersonData({ query }: Database, id: string) {
  const [known] = await query
    .select({
      id: person.id,
      name: person.name,
      email: person.email,
      createdAt: person.createdAt,
      hasSecondFactor: person.twoFactorEnabled,
    })
    .from(person)
    .where(eq(person.id, id))
  const accounts = await query
    .select({ provider: account.providerId, createdAt: account.createdAt })
    .from(account)
    .where(eq(account.userId, id))
  const passkeys = await query
    .select({ name: passkey.name, createdAt: passkey.createdAt })
    .from(passkey)
    .where(eq(passkey.userId, id))
  const sessions = await query
    .select({
      address: session.ipAddress,
      browser: session.userAgent,
      createdAt: session.createdAt,
      expiresAt: session.expiresAt,
    })
    .from(session)
    .where(eq(session.userId, id))
  const { personId, id: _, ...columns } = getTableColumns(accountActivity)
  const activity = await query.select(columns).from(accountActivity).where(eq(personId, id)).orderBy(accountActivity.id)
  return { ...known, accounts, passkeys, sessions, activity }
}
