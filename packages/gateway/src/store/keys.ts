import { randomUUIDv7 } from 'node:crypto'
import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import { recordChange } from './audit.ts'
import type { Database, Handle } from './database.ts'
import { changeKey, endPreviousSecret, revokeKey, rotateKey } from './key-changes.ts'
import { pageKeys } from './key-pages.ts'
import { makeRoomForKey } from './key-quota.ts'
import { describeKey, isChosen, selectKeys, toKey } from './key-rows.ts'
import { holdOrganization } from './members.ts'
import { makeRoomInPlayground, removePlaygroundKeys } from './playground-keys.ts'
import { StoreError } from './store-error.ts'
import type { By, Key, KeyQuota, KeyStore, NewKey } from './store.ts'
import { apiKey, member } from './tables.ts'

export function keyQueries({ query, transact }: Database): KeyStore {
  return {
    createKey(input) {
      return transact((transaction) => insertKey(transaction, input))
    },

    removePlaygroundKeys(sweep) {
      return transact((transaction) => removePlaygroundKeys(transaction, sweep))
    },

    revokeKey(input) {
      return transact((transaction) => revokeKey(transaction, input))
    },

    changeKey(input) {
      return transact((transaction) => changeKey(transaction, input))
    },

    rotateKey(input) {
      return transact((transaction) => rotateKey(transaction, input))
    },

    endPreviousSecret(input) {
      return transact((transaction) => endPreviousSecret(transaction, input))
    },

    async findKey(choice) {
      const [row] = await selectKeys(query).where(isChosen(choice))
      return row && toKey(row)
    },

    pageKeys(question) {
      return pageKeys(query, question)
    },

    async listKeys(organization, only) {
      const isOwn = only && eq(apiKey.createdBy, only.createdBy)
      const rows = await selectKeys(query)
        .where(and(eq(apiKey.organizationId, organization), isOwn, isNull(apiKey.sessionId)))
        .orderBy(asc(apiKey.createdAt), asc(apiKey.id))
      return rows.map(toKey)
    },

    async touchKeys(uses) {
      if (uses.length === 0) return
      const keys = sql.param(uses.map(({ key }) => key))
      const moments = sql.param(uses.map(({ at }) => at.toISOString()))
      await query.execute(sql`
        update ${apiKey} set last_used_at = greatest(last_used_at, use.at)
        from (select key, max(at) as at from unnest(${keys}::text[], ${moments}::timestamptz[]) as uses(key, at) group by key) as use
        where ${apiKey.id} = use.key`)
    },
  }
}

async function insertKey(
  transaction: Handle,
  { by, quota, ...input }: NewKey & By & { quota?: KeyQuota },
): Promise<Key> {
  const { organization, createdBy, session, limits: some, ...rest } = input
  if (quota) await holdOrganization(transaction, organization)
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
  const [created] = await selectKeys(transaction).where(eq(apiKey.id, id))
  const key = toKey(created!)
  // Nobody manages playground keys, so they are not in the audit log; their use shows up in the usage.
  if (session === undefined)
    await recordChange(transaction, {
      organization,
      by,
      action: 'key.create',
      object: { kind: 'key', id: key.id, name: key.name },
      after: describeKey(key),
      kinds: ['keys'],
    })
  return key
}
