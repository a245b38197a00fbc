import { randomUUIDv7 } from 'node:crypto'
import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import { recordChange, type By } from '../audit.ts'
import { inTransaction } from '../database/bind-queries.ts'
import type { Database, Handle } from '../database/database.ts'
import { onlyRow } from '../database/only-row.ts'
import { StoreError } from '../database/store-error.ts'
import { lockOrganization } from '../people/organization-rows.ts'
import { apiKey } from '../tables/keys.ts'
import { member } from '../tables/people.ts'
import { keyChangeQueries } from './key-changes.ts'
import { pageKeys } from './key-pages.ts'
import { makeRoomForKey, type KeyQuota } from './key-quota.ts'
import { describeKey, isChosen, selectKeys, toKey, type Key, type KeyChoice, type WantedLimits } from './key-rows.ts'
import { makeRoomInPlayground, removePlaygroundKeys } from './playground-keys.ts'

export const keyQueries = {
  findKey,
  listKeys,
  pageKeys,
  touchKeys,
  ...inTransaction({ createKey, removePlaygroundKeys }),
  ...keyChangeQueries,
}

export interface NewKey {
  organization: string
  /** The person the key belongs to; it stops working when they leave. */
  createdBy: string
  name: string
  digest: string
  /** The last characters of the key, to recognize it in a list. */
  hint: string
  expiresAt?: Date | undefined
  /** The only models it may use; undefined means all of them. */
  models?: string[] | undefined
  limits?: WantedLimits | undefined
  /** Makes it a playground key: never listed, and revoked when this session ends. */
  session?: string
}

async function findKey({ query }: Database, choice: KeyChoice): Promise<Key | undefined> {
  const [row] = await selectKeys(query).where(isChosen(choice))
  return row && toKey(row)
}

/** Without playground keys. */
async function listKeys({ query }: Database, organization: string, only?: { createdBy: string }): Promise<Key[]> {
  const isOwn = only && eq(apiKey.createdBy, only.createdBy)
  const rows = await selectKeys(query)
    .where(and(eq(apiKey.organizationId, organization), isOwn, isNull(apiKey.sessionId)))
    .orderBy(asc(apiKey.createdAt), asc(apiKey.id))
  return rows.map(toKey)
}

/** Stores the latest use of keys, in batches. */
async function touchKeys({ query }: Database, uses: readonly { key: string; at: Date }[]): Promise<void> {
  if (uses.length === 0) return
  const keys = sql.param(uses.map(({ key }) => key))
  const moments = sql.param(uses.map(({ at }) => at.toISOString()))
  await query.execute(sql`
    update ${apiKey} set last_used_at = greatest(last_used_at, use.at)
    from (select key, max(at) as at from unnest(${keys}::text[], ${moments}::timestamptz[]) as uses(key, at) group by key) as use
    where ${apiKey.id} = use.key`)
}

/** Fails with `limit` if the quota is used up. A member's revoked and expired keys are forgotten beyond the newest hundred. */
async function createKey(
  transaction: Handle,
  { by, quota, ...input }: NewKey & By & { quota?: KeyQuota },
): Promise<Key> {
  const { organization, createdBy, session, limits: some, ...rest } = input
  if (quota) await lockOrganization(transaction, organization)
  // Lock the membership until the key exists, so that a member who leaves at this moment loses the key too, and that members create one
  // key after the other.
  const creator = await transaction
    .select({ id: member.id })
    .from(member)
    .where(and(eq(member.organizationId, organization), eq(member.personId, createdBy)))
    .for('no key update')
  if (creator.length === 0)
    throw new StoreError('unknown', `Cannot create the key: person ${createdBy} is not a member of ${organization}`)
  if (session !== undefined) await makeRoomInPlayground(transaction, input)
  else await makeRoomForKey(transaction, input, quota)
  const id = randomUUIDv7()
  await transaction
    .insert(apiKey)
    .values({ id, organizationId: organization, createdBy, sessionId: session, ...some, ...rest })
  const key = toKey(onlyRow(await selectKeys(transaction).where(eq(apiKey.id, id))))
  // Nobody manages playground keys, so they are not in the audit log; their use shows up in the usage.
  if (session === undefined)
    await recordChange(transaction, {
      organization,
      by,
      action: 'key.create',
      id,
      name: key.name,
      after: describeKey(key),
    })
  return key
}
