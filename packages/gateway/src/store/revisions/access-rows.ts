// The rows that decide about every request, over a connection that is used for nothing else. These queries are short: a long one is split
// into pages.

import { and, asc, eq, gt, isNotNull, isNull, or, sql, type SQL } from 'drizzle-orm'
import type { Handle } from '../database/database.ts'
import { omitNulls } from '../database/omit-nulls.ts'
import type { KeyLimits } from '../keys/key-rows.ts'
import type { BudgetHolder } from '../tables/usage.ts'
import { device } from '../tables/devices.ts'
import { apiKey } from '../tables/keys.ts'
import { modelColumns, type Model } from '../models.ts'
import { model } from '../tables/models.ts'
import { member, organization, type SealingMode } from '../tables/people.ts'

/** Identifies a row. */
export interface RowKey {
  organization: string
  /** The name of a model; the id of a key or device. */
  id: string
}

export interface Changed<Row> extends RowKey {
  /** As it is now, even if it changed again after these revisions; undefined if it is gone or no longer gives access. */
  now?: Row
}

export type RateLimits = Omit<KeyLimits, 'tokensPerMonth'>

export interface Budget {
  holder: BudgetHolder
  organization: string
  /** Of the key, the person or the organization. */
  id: string
  tokensPerMonth: number
}

/** Only keys that work: not revoked or disabled, their creator is still a member, and the organization is not being deleted. Expiry is checked when a key is used. */
export interface AccessKey {
  id: string
  organization: string
  digest: string
  /** The secret from before the last rotation, and until when it works. */
  previous?: { digest: string; endsAt: Date }
  expiresAt?: Date
  /** The only models it may use; undefined means all of them. */
  models?: string[]
  limits?: RateLimits
  /** The key's own, its creator's and the organization's; undefined if there is none. */
  budgets?: readonly Budget[]
  /** The organization wants devices to reuse no prompts across keys. */
  separatesPrefixes?: boolean
  /** Whether the organization seals its requests; undefined means off. */
  sealing?: Exclude<SealingMode, 'off'>
}

export interface AccessDevice {
  id: string
  organization: string
  name: string
  credentialDigest: string
  isPaused: boolean
}

/** Includes keys that don't work: a page of them has to end, however few of them do. */
export async function selectAccessKeys(access: Handle, which?: SQL, limit?: number): Promise<Changed<AccessKey>[]> {
  const rows = await selectKeyRows(access, which, limit)
  return rows.map(({ isUsable, ...row }) => {
    const { organization, id } = row
    return { organization, id, ...(isUsable && { now: toAccessKey(row) }) }
  })
}

function selectKeyRows(access: Handle, which: SQL | undefined, limit: number | undefined) {
  const page = pageOf(access, which, limit)
  const isCreator = and(eq(member.organizationId, page.organizationId), eq(member.personId, page.createdBy))
  // The extra hour allows for clocks that differ: expiry is checked when the key is used.
  const isAlive = or(isNull(page.expiresAt), gt(page.expiresAt, sql`now() - interval '1 hour'`))
  return access
    .select({
      id: page.id,
      organization: page.organizationId,
      digest: page.digest,
      previousDigest: page.previousDigest,
      previousEndsAt: page.previousEndsAt,
      expiresAt: page.expiresAt,
      models: page.models,
      separatesPrefixes: organization.separatesPrefixes,
      sealing: organization.sealing,
      limits: {
        requestsPerMinute: page.requestsPerMinute,
        tokensPerMinute: page.tokensPerMinute,
        jobsAtOnce: page.jobsAtOnce,
      },
      createdBy: page.createdBy,
      tokensPerMonth: {
        key: page.tokensPerMonth,
        member: member.tokensPerMonth,
        organization: organization.tokensPerMonth,
      },
      isUsable: sql<boolean>`${and(isNotNull(member.id), isNull(page.revokedAt), isNull(page.disabledAt), isNull(organization.deletesAt), isAlive)}`,
    })
    .from(page)
    .leftJoin(member, isCreator)
    .leftJoin(organization, eq(organization.id, page.organizationId))
    .orderBy(asc(page.id))
}

type KeyRow = Omit<Awaited<ReturnType<typeof selectKeyRows>>[number], 'isUsable'>

function toAccessKey({
  limits,
  createdBy,
  tokensPerMonth,
  separatesPrefixes,
  sealing,
  previousDigest,
  previousEndsAt,
  ...row
}: KeyRow): AccessKey {
  const some = omitNulls(limits)
  const budgets = toBudgets(row, createdBy, tokensPerMonth)
  const hasPrevious = previousDigest !== null && previousEndsAt !== null
  return {
    ...omitNulls(row),
    ...(hasPrevious && { previous: { digest: previousDigest, endsAt: previousEndsAt } }),
    ...(Object.keys(some).length > 0 && { limits: some }),
    ...(budgets.length > 0 && { budgets }),
    ...(separatesPrefixes && { separatesPrefixes }),
    ...(sealing !== null && sealing !== 'off' && { sealing }),
  }
}

function toBudgets(
  { id: key, organization }: RowKey,
  member: string,
  tokensPerMonth: Record<BudgetHolder, number | null>,
): Budget[] {
  const holders = { key, member, organization }
  return (['key', 'member', 'organization'] as const).flatMap((holder) => {
    const tokens = tokensPerMonth[holder]
    return tokens === null ? [] : { holder, organization, id: holders[holder], tokensPerMonth: tokens }
  })
}

/** Found first and alone, because an embedded database keeps no statistics and would plan the whole query badly. */
function pageOf(access: Handle, which: SQL | undefined, limit: number | undefined) {
  const query = access.select().from(apiKey).where(which).orderBy(asc(apiKey.id))
  return (limit === undefined ? query : query.limit(limit)).as('page')
}

export async function selectAccessModels(access: Handle, which?: SQL, limit?: number): Promise<Changed<Model>[]> {
  const query = access.select(modelColumns).from(model).where(which).orderBy(asc(model.organizationId), asc(model.name))
  const rows = await (limit === undefined ? query : query.limit(limit))
  return rows.map((row) => ({ organization: row.organization, id: row.name, now: omitNulls(row) }))
}

export async function selectAccessDevices(
  access: Handle,
  which?: SQL,
  limit?: number,
): Promise<Changed<AccessDevice>[]> {
  const { id, organizationId, name, credentialDigest } = device
  // Until an organization is gone, its devices keep their link: if it is restored, nobody has to log them in again.
  const isPaused = sql<boolean>`${or(isNotNull(device.pausedAt), isNotNull(organization.deletesAt))}`
  const query = access
    .select({ id, organization: organizationId, name, credentialDigest, isPaused })
    .from(device)
    .innerJoin(organization, eq(organization.id, organizationId))
    .where(which)
    .orderBy(asc(id))
  const rows = await (limit === undefined ? query : query.limit(limit))
  return rows.map((row) => ({ organization: row.organization, id: row.id, now: row }))
}
