// How many keys a member and an organization may have. Without a bound, one organization could slow down every change of keys.

import { and, desc, eq, gt, inArray, isNotNull, isNull, lte, or, sql } from 'drizzle-orm'
import type { Handle } from '../database/database.ts'
import { onlyRow } from '../database/only-row.ts'
import { requireRoom } from '../quota.ts'
import { apiKey } from '../tables/keys.ts'

/** How many working keys there may be, not counting playground keys. */
export interface KeyQuota {
  perMember: number
  perOrganization: number
}

/** Revoked and expired keys that stay listed, per member. */
const KEPT = 100

interface Creator {
  organization: string
  createdBy: string
}

/** Call it before a key is added, with the organization and the membership of its creator locked: two must not take the last place. */
export async function makeRoomForKey(
  transaction: Handle,
  creator: Creator,
  quota: KeyQuota | undefined,
): Promise<void> {
  if (quota) await checkQuota(transaction, creator, quota)
  await forgetOldest(transaction, creator)
}

/** Throws if the creator or the organization has as many working keys as allowed. Disabled keys count: they can be enabled at any time. */
export async function checkQuota(
  transaction: Handle,
  { organization, createdBy }: Creator,
  quota: KeyQuota,
): Promise<void> {
  const counts = await transaction
    .select({
      ofMember: sql`count(*) filter (where ${apiKey.createdBy} = ${createdBy})`.mapWith(Number),
      ofOrganization: sql`count(*)`.mapWith(Number),
    })
    .from(apiKey)
    .where(
      and(
        eq(apiKey.organizationId, organization),
        isNull(apiKey.sessionId),
        isNull(apiKey.revokedAt),
        or(isNull(apiKey.expiresAt), gt(apiKey.expiresAt, sql`now()`)),
      ),
    )
  const { ofMember, ofOrganization } = onlyRow(counts)
  requireRoomForKey('this member', ofMember, quota.perMember, 'KEYS_PER_MEMBER')
  requireRoomForKey('the organization', ofOrganization, quota.perOrganization, 'KEYS_PER_ORGANIZATION')
}

function requireRoomForKey(who: string, count: number, most: number, setting: string): void {
  const remedy = 'Revoke keys that are no longer used'
  requireRoom(count, most, { change: 'create the key', who, things: 'API keys', remedy, setting })
}

async function forgetOldest(transaction: Handle, { organization, createdBy }: Creator): Promise<void> {
  const old = transaction
    .select({ id: apiKey.id })
    .from(apiKey)
    .where(
      and(
        eq(apiKey.organizationId, organization),
        eq(apiKey.createdBy, createdBy),
        isNull(apiKey.sessionId),
        or(isNotNull(apiKey.revokedAt), lte(apiKey.expiresAt, sql`now()`)),
      ),
    )
    .orderBy(desc(sql`coalesce(${apiKey.revokedAt}, ${apiKey.expiresAt})`), desc(apiKey.id))
    .offset(KEPT)
  await transaction.delete(apiKey).where(inArray(apiKey.id, old))
}
