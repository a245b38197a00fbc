// Every visit to the playground makes a key, so expired ones are removed. Their usage stays: it moves to one keeper per person and
// organization, a revoked key that nothing lists and that tells the usage whose it was.

import { and, eq, inArray, isNotNull, lt, sql } from 'drizzle-orm'
import type { Handle } from './database.ts'
import type { PlaygroundSweep } from './store.ts'
import { apiKey, usageHour } from './tables.ts'

interface Gone {
  id: string
  organization: string
  createdBy: string
  createdAt: Date
}

/** Returns how many keys were removed. */
export async function removePlaygroundKeys(
  transaction: Handle,
  { expiredBefore, limit, createdBy }: PlaygroundSweep,
): Promise<number> {
  const isOwn = createdBy === undefined ? undefined : eq(apiKey.createdBy, createdBy)
  const gone: Gone[] = await transaction
    .select({
      id: apiKey.id,
      organization: apiKey.organizationId,
      createdBy: apiKey.createdBy,
      createdAt: apiKey.createdAt,
    })
    .from(apiKey)
    .where(and(isNotNull(apiKey.sessionId), lt(apiKey.expiresAt, expiredBefore), isOwn))
    .orderBy(apiKey.expiresAt)
    .limit(limit)
    .for('update', { skipLocked: true })
  if (gone.length === 0) return 0
  await addKeepers(transaction, gone)
  await moveUsage(transaction, gone)
  const ids = gone.map(({ id }) => id)
  await transaction.delete(apiKey).where(inArray(apiKey.id, ids))
  return gone.length
}

async function addKeepers(transaction: Handle, gone: readonly Gone[]): Promise<void> {
  const keepers = new Map(gone.map((key) => [keeperOf(key), key]))
  const rows = [...keepers].map(([id, { organization, createdBy }]) => ({
    id,
    organizationId: organization,
    createdBy,
    name: 'Playground',
    // Not a digest of anything, so no key matches it.
    digest: id,
    hint: '',
    revokedAt: sql`now()`,
    sessionId: 'ended',
  }))
  await transaction.insert(apiKey).values(rows).onConflictDoNothing({ target: apiKey.id })
}

/** Sorted like other writers of usage, so that they never deadlock. */
async function moveUsage(transaction: Handle, gone: readonly Gone[]): Promise<void> {
  const column = (read: (key: Gone) => string) => sql.param(gone.map(read))
  await transaction.execute(sql`
    with gone as (
      select * from unnest(
        ${column(({ id }) => id)}::text[], ${column(({ organization }) => organization)}::text[],
        ${column(keeperOf)}::text[], ${column(({ createdAt }) => createdAt.toISOString())}::timestamptz[]
      ) as gone(id, organization, keeper, created_at)
    ), moved as (
      delete from ${usageHour} using gone
      where usage_hour.organization_id = gone.organization and usage_hour.key_id = gone.id
        and usage_hour.hour >= gone.created_at - interval '1 hour'
      returning usage_hour.*, gone.keeper
    )
    insert into ${usageHour} (hour, organization_id, key_id, model, device_id, requests, errors, prompt_tokens, completion_tokens, wait_ms)
    select hour, organization_id, keeper, model, device_id,
      sum(requests), sum(errors), sum(prompt_tokens), sum(completion_tokens), sum(wait_ms)
    from moved
    group by 1, 2, 3, 4, 5
    order by 2, 1, 3, 4, 5
    on conflict (organization_id, hour, key_id, model, device_id) do update set
      requests = usage_hour.requests + excluded.requests,
      errors = usage_hour.errors + excluded.errors,
      prompt_tokens = usage_hour.prompt_tokens + excluded.prompt_tokens,
      completion_tokens = usage_hour.completion_tokens + excluded.completion_tokens,
      wait_ms = usage_hour.wait_ms + excluded.wait_ms`)
}

function keeperOf({ organization, createdBy }: Gone): string {
  return `playground-${organization}-${createdBy}`
}
