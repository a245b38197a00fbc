// The playground makes a key for each session and renews it every hour, so expired ones are removed. Their usage stays: it moves to one keeper per person and
// organization, a revoked key that nothing lists and that tells the usage whose it was.

import { and, desc, eq, gt, inArray, isNotNull, isNull, lt, sql, type SQL } from 'drizzle-orm'
import type { Handle } from '../database/database.ts'
import { StoreError } from '../database/store-error.ts'
import { apiKey } from '../tables/keys.ts'
import { recentRequest, usageCode, usageDay, usageHour } from '../tables/usage.ts'
import { addCodesFrom, addGroupedDaysFrom, addUsageFrom } from '../usage/usage-addition.ts'

export interface PlaygroundSweep {
  expiredBefore: Date
  /** Removes at most this many, those that expired first. */
  limit: number
  /** Only this person's. */
  createdBy?: string
}

interface Gone {
  id: string
  organization: string
  createdBy: string
  createdAt: Date
}

/** Working keys of one member: enough for a few browsers, each with its own session. */
export const MAX_WORKING = 10
/** Including expired keys, which are removed after a day. A browser that stays open needs about thirty a day. */
const MAX_KEPT = 300

/** Call it before a playground key is added, with the membership of its creator locked. */
export async function makeRoomInPlayground(
  transaction: Handle,
  { organization, createdBy }: { organization: string; createdBy: string },
): Promise<void> {
  const isTheirs = and(
    eq(apiKey.organizationId, organization),
    eq(apiKey.createdBy, createdBy),
    isNotNull(apiKey.sessionId),
  )
  if ((await transaction.$count(apiKey, isTheirs)) >= MAX_KEPT)
    throw new StoreError(
      'limit',
      `Cannot open the playground: it was opened ${MAX_KEPT} times within a day. Wait an hour, then try again`,
    )
  const isWorking = and(isTheirs, isNull(apiKey.revokedAt), gt(apiKey.expiresAt, sql`now()`))
  const oldest = transaction
    .select({ id: apiKey.id })
    .from(apiKey)
    .where(isWorking)
    .orderBy(desc(apiKey.createdAt), desc(apiKey.id))
    .offset(MAX_WORKING - 1)
  await transaction
    .update(apiKey)
    .set({ revokedAt: sql`now()` })
    .where(inArray(apiKey.id, oldest))
}

/** Removes playground keys that expired before a moment; returns how many. Their usage is kept. */
export async function removePlaygroundKeys(transaction: Handle, sweep: PlaygroundSweep): Promise<number> {
  const gone = await lockExpired(transaction, sweep)
  if (gone.length === 0) return 0
  await addKeepers(transaction, gone)
  await moveUsage(transaction, gone)
  const ids = gone.map(({ id }) => id)
  await transaction.delete(apiKey).where(inArray(apiKey.id, ids))
  return gone.length
}

function lockExpired(transaction: Handle, { expiredBefore, limit, createdBy }: PlaygroundSweep): Promise<Gone[]> {
  const isOwn = createdBy === undefined ? undefined : eq(apiKey.createdBy, createdBy)
  return transaction
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

/** Counters move to the keeper of their key, and requests name it from now on. */
async function moveUsage(transaction: Handle, gone: readonly Gone[]): Promise<void> {
  await transaction.execute(sql`
    with ${goneKeys(gone)}, moved as (
      delete from ${usageHour} using gone where ${isOfGone('usage_hour')}
      returning usage_hour.*, gone.keeper
    ) ${addUsageFrom(ofKeeper(USAGE_COLUMNS))}`)
  await transaction.execute(sql`
    with ${goneKeys(gone)}, moved as (
      delete from ${usageCode} using gone where ${isOfGone('usage_code')}
      returning usage_code.*, gone.keeper
    ) ${addCodesFrom(ofKeeper('code, requests'))}`)
  await transaction.execute(sql`
    with ${goneKeys(gone)} update ${recentRequest} set key_id = gone.keeper from gone
    where recent_request.organization_id = gone.organization and recent_request.key_id = gone.id`)
  await transaction.execute(sql`
    with ${goneKeys(gone)}, moved as (
      delete from ${usageDay} using gone
      where ${isOfGone('usage_day', '1 day')} and usage_day.by in ('key', 'key model', 'key device')
      returning usage_day.*, gone.keeper
    ) ${addGroupedDaysFrom(ofKeeper(`by, ${USAGE_COLUMNS}`))}`)
}

const USAGE_COLUMNS = 'requests, errors, prompt_tokens, completion_tokens, wait_ms, busy_ms, times'

function goneKeys(gone: readonly Gone[]): SQL {
  const column = (read: (key: Gone) => string) => sql.param(gone.map(read))
  return sql`gone as (
    select * from unnest(
      ${column(({ id }) => id)}::text[], ${column(({ organization }) => organization)}::text[],
      ${column(keeperOf)}::text[], ${column(({ createdAt }) => createdAt.toISOString())}::timestamptz[]
    ) as gone(id, organization, keeper, created_at)
  )`
}

function isOfGone(table: 'usage_hour' | 'usage_day' | 'usage_code', step = '1 hour'): SQL {
  return sql.raw(
    `${table}.organization_id = gone.organization and ${table}.key_id = gone.id and ${table}.hour >= gone.created_at - interval '${step}'`,
  )
}

function ofKeeper(columns: string): SQL {
  return sql.raw(
    `(select hour, organization_id, keeper as key_id, model, device_id, ${columns} from moved) as of_keeper`,
  )
}

function keeperOf({ organization, createdBy }: Gone): string {
  return `playground-${organization}-${createdBy}`
}
