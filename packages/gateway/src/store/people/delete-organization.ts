// Deleting an organization. First it loses its access and waits, so that an owner can change their mind; then everything it has is deleted, a
// few rows at a time, because there can be millions of them.

import { and, asc, eq, gt, isNull, lte, or, sql } from 'drizzle-orm'
import type { By } from '../audit.ts'
import { inTransaction } from '../database/bind-queries.ts'
import type { Handle } from '../database/database.ts'
import { organization } from '../tables/people.ts'
import { lockOrganization, recordOrganizationChange } from './organization-rows.ts'

export const organizationDeletionQueries = inTransaction({
  deleteOrganization,
  restoreOrganization,
  sweepOrganizations,
})

/** How long an owner can restore it. */
export const DELETION_GRACE_MS = 7 * 86_400_000

/** Takes away its access now, and marks it for deletion. False if it does not exist. If it is marked already, nothing changes. */
function deleteOrganization(
  transaction: Handle,
  { deletesAt, ...input }: { organization: string; deletesAt: Date } & By,
): Promise<boolean> {
  return setDeletion(transaction, input, deletesAt)
}

/** Gives it back its access. False if it does not exist, or nothing can save it any more. */
function restoreOrganization(transaction: Handle, input: { organization: string } & By): Promise<boolean> {
  return setDeletion(transaction, input, null)
}

async function setDeletion(
  transaction: Handle,
  { organization: id, by }: { organization: string } & By,
  deletesAt: Date | null,
): Promise<boolean> {
  const found = await lockOrganization(transaction, id)
  if (!found) return false
  if ((found.deletesAt === null) === (deletesAt === null)) return true
  // When its time has come, some of it may be gone already.
  const isWhole = and(
    eq(organization.id, id),
    or(isNull(organization.deletesAt), gt(organization.deletesAt, sql`now()`)),
  )
  const changed = await transaction
    .update(organization)
    .set({ deletesAt })
    .where(isWhole)
    .returning({ id: organization.id })
  if (changed.length === 0) return false
  await recordOrganizationChange(transaction, found, {
    by,
    action: deletesAt ? 'organization.delete' : 'organization.restore',
    ...(deletesAt && { after: { deletesAt: deletesAt.toISOString() } }),
    also: ['keys', 'devices'],
  })
  return true
}

/** The tables of an organization, in the order in which they are emptied. The others are small and go with its row. */
const TABLES = [
  'api_key',
  'device',
  'model',
  'recent_request',
  'usage_hour',
  'usage_day',
  'usage_month',
  'usage_code',
  'audit_log',
  'member',
]

/**
 * Deletes at most this many rows of one organization whose time has come; returns how many, and so 0 when there is nothing left to do. Two
 * gateways never work at the same organization at the same time.
 */
async function sweepOrganizations(transaction: Handle, { limit }: { limit: number }): Promise<number> {
  const [due] = await transaction
    .select({ id: organization.id })
    .from(organization)
    .where(lte(organization.deletesAt, sql`now()`))
    .orderBy(asc(organization.deletesAt))
    .limit(1)
    .for('update', { skipLocked: true })
  if (!due) return 0
  const deleted = await deleteRows(transaction, due.id, limit)
  if (deleted > 0) return deleted
  await transaction.execute(sql`delete from request_count where organization_id = ${due.id}`)
  await transaction.delete(organization).where(eq(organization.id, due.id))
  return 1
}

async function deleteRows(transaction: Handle, id: string, limit: number): Promise<number> {
  let deleted = 0
  for (const table of TABLES) {
    const name = sql.identifier(table)
    const { rowCount } = await transaction.execute(
      sql`delete from ${name} where ctid = any(array(select ctid from ${name} where organization_id = ${id} limit ${limit - deleted}))`,
    )
    deleted += rowCount ?? 0
    if (deleted === limit) break
  }
  return deleted
}
