// One of two ways for a device to join: with a one-time token. Only its digest is stored.

import type { Machine } from '@hearth/protocol'
import { and, desc, eq, gt, isNull } from 'drizzle-orm'
import { recordChange, type By } from '../audit.ts'
import { inTransaction } from '../database/bind-queries.ts'
import type { Database, Handle } from '../database/database.ts'
import { omitNulls, type RowOf } from '../database/omit-nulls.ts'
import { onlyRow } from '../database/only-row.ts'
import { enrolment } from '../tables/devices.ts'
import { isKept } from '../people/organization-rows.ts'
import { person } from '../tables/people.ts'
import { makeRoomForToken } from './device-quota.ts'
import { insertDevice, type Device } from './device-rows.ts'

export const enrolmentQueries = {
  listEnrolments,
  ...inTransaction({ createEnrolment, revokeEnrolment, redeemEnrolment }),
}

interface NewEnrolment {
  organization: string
  digest: string
  expiresAt: Date
  createdBy?: string
  /** How many devices the organization may have, and how many unused tokens. */
  most?: number
}

/** The store adds a number to a name that another device of the organization has. */
interface JoiningDevice {
  name: string
  credentialDigest: string
  at: Date
  address?: string
  app?: string
  machine?: Machine
  /** How many devices the organization may have. */
  most?: number
}

const columns = {
  id: enrolment.id,
  organization: enrolment.organizationId,
  createdAt: enrolment.createdAt,
  expiresAt: enrolment.expiresAt,
}

export type Enrolment = RowOf<typeof columns> & { createdByName?: string }

/** The token works once. Fails with `limit` if no further device could join. */
async function createEnrolment(
  transaction: Handle,
  { organization, by, most, ...rest }: NewEnrolment & By,
): Promise<Enrolment> {
  await makeRoomForToken(transaction, organization, { at: new Date(), most })
  const values = { organizationId: organization, ...rest }
  const created = onlyRow(await transaction.insert(enrolment).values(values).returning(columns))
  const after = { expiresAt: created.expiresAt.toISOString() }
  await recordChange(transaction, { organization, by, action: 'enrolment.create', id: created.id, name: '', after })
  return created
}

/** Only unused ones that have not expired. */
async function listEnrolments(
  { query }: Database,
  { organization, at }: { organization: string; at: Date },
): Promise<Enrolment[]> {
  const rows = await query
    .select({ ...columns, createdByName: person.name })
    .from(enrolment)
    .leftJoin(person, eq(person.id, enrolment.createdBy))
    .where(and(eq(enrolment.organizationId, organization), isOpen(at)))
    .orderBy(desc(enrolment.createdAt))
  return rows.map(omitNulls)
}

async function revokeEnrolment(
  transaction: Handle,
  { organization, enrolment: id, by }: { organization: string; enrolment: string } & By,
): Promise<boolean> {
  const removed = await transaction
    .delete(enrolment)
    .where(and(eq(enrolment.organizationId, organization), eq(enrolment.id, id), isNull(enrolment.usedAt)))
    .returning({ id: enrolment.id })
  if (removed.length === 0) return false
  await recordChange(transaction, { organization, by, action: 'enrolment.revoke', id, name: '' })
  return true
}

/** Creates the device and uses up the token in one transaction; undefined if the token is unknown, used or expired. */
async function redeemEnrolment(
  transaction: Handle,
  { digest, at, name, credentialDigest, address, app, machine, most }: JoiningDevice & { digest: string },
): Promise<Device | undefined> {
  // The update locks the row: if two devices redeem the token at the same moment, the second one waits and then finds it used.
  const [burnt] = await transaction
    .update(enrolment)
    .set({ usedAt: at })
    .where(and(eq(enrolment.digest, digest), isOpen(at), isKept(enrolment.organizationId)))
    .returning({ organization: enrolment.organizationId, addedBy: enrolment.createdBy })
  const joining = { name, credentialDigest, address, app, machine, most }
  return burnt && (await insertDevice(transaction, { ...burnt, ...joining }))
}

function isOpen(at: Date) {
  return and(isNull(enrolment.usedAt), gt(enrolment.expiresAt, at))
}
