import { randomUUIDv7 } from 'node:crypto'
import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import { recordChange } from './audit.ts'
import type { Database, Handle } from './database.ts'
import { makeRoomForKey } from './key-quota.ts'
import { holdOrganization } from './members.ts'
import { omitNulls } from './omit-nulls.ts'
import { makeRoomInPlayground, removePlaygroundKeys } from './playground-keys.ts'
import { StoreError } from './store-error.ts'
import type { By, Key, KeyLimits, KeyQuota, KeyStore, NewKey } from './store.ts'
import { apiKey, member, person } from './tables.ts'

const limits = {
  requestsPerMinute: apiKey.requestsPerMinute,
  tokensPerMinute: apiKey.tokensPerMinute,
  jobsAtOnce: apiKey.jobsAtOnce,
}

const columns = {
  id: apiKey.id,
  organization: apiKey.organizationId,
  createdBy: apiKey.createdBy,
  createdByName: person.name,
  name: apiKey.name,
  hint: apiKey.hint,
  createdAt: apiKey.createdAt,
  limits,
  models: apiKey.models,
  expiresAt: apiKey.expiresAt,
  revokedAt: apiKey.revokedAt,
  lastUsedAt: apiKey.lastUsedAt,
}

export function keyQueries({ query, transact }: Database): KeyStore {
  return {
    createKey(input) {
      return transact((transaction) => insertKey(transaction, input))
    },

    removePlaygroundKeys(sweep) {
      return transact((transaction) => removePlaygroundKeys(transaction, sweep))
    },

    revokeKey({ organization, key, createdBy, by }) {
      return transact(async (transaction) => {
        const isOwn = createdBy === undefined ? undefined : eq(apiKey.createdBy, createdBy)
        const [revoked] = await transaction
          .update(apiKey)
          .set({ revokedAt: sql`now()` })
          .where(and(eq(apiKey.organizationId, organization), eq(apiKey.id, key), isOwn, isListed()))
          .returning({ id: apiKey.id, name: apiKey.name, hint: apiKey.hint })
        if (!revoked) return false
        const { id, name, hint } = revoked
        const object = { kind: 'key', id, name }
        await recordChange(transaction, {
          organization,
          by,
          action: 'key.revoke',
          object,
          before: { hint },
          kinds: ['keys'],
        })
        return true
      })
    },

    async listKeys(organization, only) {
      const isOwn = only && eq(apiKey.createdBy, only.createdBy)
      const rows = await select(query)
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
  const [created] = await select(transaction).where(eq(apiKey.id, id))
  const key = toKey(created!)
  // Nobody manages playground keys, so they are not in the audit log; their use shows up in the usage.
  if (session === undefined)
    await recordChange(transaction, {
      organization,
      by,
      action: 'key.create',
      object: { kind: 'key', id: key.id, name: key.name },
      after: describe(key),
      kinds: ['keys'],
    })
  return key
}

function select(handle: Handle) {
  return handle.select(columns).from(apiKey).innerJoin(person, eq(person.id, apiKey.createdBy))
}

function describe({ hint, expiresAt, models, limits }: Key) {
  return { hint, ...(expiresAt && { expiresAt: expiresAt.toISOString() }), ...(models && { models }), ...limits }
}

type Row = { [Name in keyof Required<Key>]: Name extends 'limits' ? Nullable<KeyLimits> : Required<Key>[Name] | null }
type Nullable<Type> = { [Name in keyof Required<Type>]: Required<Type>[Name] | null }

function toKey({ limits, ...row }: Row): Key {
  return { ...(omitNulls(row) as Omit<Key, 'limits'>), limits: omitNulls(limits) }
}

function isListed() {
  return and(isNull(apiKey.revokedAt), isNull(apiKey.sessionId))
}
