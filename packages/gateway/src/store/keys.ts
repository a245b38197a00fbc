import { randomUUIDv7 } from 'node:crypto'
import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import { omitNulls } from './omit-nulls.ts'
import { StoreError } from './store-error.ts'
import type { Store } from './store.ts'
import { apiKey, member } from './tables.ts'

type KeyQueries = Pick<Store, 'accessKeys' | 'createKey' | 'revokeKey' | 'listKeys' | 'touchKeys'>

const columns = {
  id: apiKey.id,
  organization: apiKey.organizationId,
  createdBy: apiKey.createdBy,
  name: apiKey.name,
  hint: apiKey.hint,
  createdAt: apiKey.createdAt,
  expiresAt: apiKey.expiresAt,
  revokedAt: apiKey.revokedAt,
  lastUsedAt: apiKey.lastUsedAt,
}

export function keyQueries({ query, transact }: Database): KeyQueries {
  return {
    async accessKeys() {
      const creator = and(eq(member.organizationId, apiKey.organizationId), eq(member.personId, apiKey.createdBy))
      const rows = await query
        .select({
          id: apiKey.id,
          organization: apiKey.organizationId,
          digest: apiKey.digest,
          expiresAt: apiKey.expiresAt,
        })
        .from(apiKey)
        .innerJoin(member, creator)
        .where(isNull(apiKey.revokedAt))
      return rows.map(omitNulls)
    },

    createKey({ organization, createdBy, ...rest }) {
      return transact(async (transaction) => {
        // Held until the key is there: a member who leaves at this moment takes the key along.
        const creator = await transaction
          .select({ id: member.id })
          .from(member)
          .where(and(eq(member.organizationId, organization), eq(member.personId, createdBy)))
          .for('share')
        if (creator.length === 0)
          throw new StoreError(
            'unknown',
            `Cannot create the key: person ${createdBy} is not a member of ${organization}`,
          )
        const [created] = await transaction
          .insert(apiKey)
          .values({ id: randomUUIDv7(), organizationId: organization, createdBy, ...rest })
          .returning(columns)
        return omitNulls(created!)
      })
    },

    async revokeKey({ organization, key }) {
      const revoked = await query
        .update(apiKey)
        .set({ revokedAt: sql`now()` })
        .where(and(eq(apiKey.organizationId, organization), eq(apiKey.id, key), isNull(apiKey.revokedAt)))
        .returning({ id: apiKey.id })
      return revoked.length > 0
    },

    async listKeys(organization) {
      const rows = await query
        .select(columns)
        .from(apiKey)
        .where(eq(apiKey.organizationId, organization))
        .orderBy(asc(apiKey.createdAt), asc(apiKey.id))
      return rows.map(omitNulls)
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
