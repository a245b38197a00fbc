// The secrets in the database that are no digests: the one that signs cookies, and second factors. The store keeps them as texts; `access`
// encrypts them.

import { eq, sql } from 'drizzle-orm'
import { inTransaction } from '../database/bind-queries.ts'
import type { Database, Handle } from '../database/database.ts'
import { twoFactor } from '../tables/accounts.ts'
import { gatewaySecret } from '../tables/gateway-secrets.ts'
import { person } from '../tables/people.ts'

export const storedSecretQueries = { readGatewaySecret, peopleWithSecondFactor, ...inTransaction({ rewriteSecrets }) }

/** The check in the database looks for this name. */
export const SESSION_SECRET = 'session'

export interface StoredSecrets {
  /** Undefined in a new database. */
  session: string | undefined
  factors: readonly StoredFactor[]
}

export interface StoredFactor {
  id: string
  person: string
  secret: string
  backupCodes: string
}

async function readGatewaySecret({ query }: Database, name: string): Promise<string | undefined> {
  const [row] = await query.select().from(gatewaySecret).where(eq(gatewaySecret.name, name))
  return row?.value
}

/** In one transaction, in which nobody else writes them. Nothing changes if `change` returns undefined. */
async function rewriteSecrets(
  transaction: Handle,
  change: (stored: StoredSecrets) => StoredSecrets | undefined,
): Promise<void> {
  await transaction.execute(sql`lock table ${twoFactor} in share row exclusive mode`)
  const changed = change(await readSecrets(transaction))
  if (changed) await writeSecrets(transaction, changed)
}

async function readSecrets(transaction: Handle): Promise<StoredSecrets> {
  const [row] = await transaction.select().from(gatewaySecret).where(eq(gatewaySecret.name, SESSION_SECRET))
  const { id, userId, secret, backupCodes } = twoFactor
  const factors = await transaction.select({ id, person: userId, secret, backupCodes }).from(twoFactor)
  return { session: row?.value, factors }
}

async function writeSecrets(transaction: Handle, { session: value, factors }: StoredSecrets): Promise<void> {
  // First: the key that it names is the one in use.
  if (value !== undefined)
    await transaction
      .insert(gatewaySecret)
      .values({ name: SESSION_SECRET, value })
      .onConflictDoUpdate({ target: gatewaySecret.name, set: { value } })
  for (const { id, secret, backupCodes } of factors)
    await transaction.update(twoFactor).set({ secret, backupCodes }).where(eq(twoFactor.id, id))
}

async function peopleWithSecondFactor({ query }: Database): Promise<{ email: string; secret: string }[]> {
  return query
    .select({ email: person.email, secret: twoFactor.secret })
    .from(twoFactor)
    .innerJoin(person, eq(person.id, twoFactor.userId))
    .orderBy(person.email)
}
