// How many devices an organization may have, and how many unused tokens to add some. Devices beyond it, from before, keep working.

import { and, eq, gt, inArray, isNotNull, isNull, lte, or } from 'drizzle-orm'
import type { Handle } from '../database/database.ts'
import { StoreError } from '../database/store-error.ts'
import { lockOrganization } from '../people/organization-rows.ts'
import { device, enrolment } from '../tables/devices.ts'

/** The organization is locked from here on: two devices must not take the last place. Without `most` there is no limit. */
export async function requireRoomForDevice(
  transaction: Handle,
  organization: string,
  most = Number.POSITIVE_INFINITY,
): Promise<void> {
  await lockOrganization(transaction, organization)
  const devices = await transaction.$count(device, eq(device.organizationId, organization))
  if (devices < most) return
  throw new StoreError(
    'limit',
    `Cannot add a device: the organization has ${devices} of ${most} allowed devices. Remove devices that you don't use, or ask the operator of the gateway to raise DEVICES_PER_ORGANIZATION`,
  )
}

/** Forgets used and expired tokens: the audit log has them. */
export async function makeRoomForToken(
  transaction: Handle,
  organization: string,
  { at, most = Number.POSITIVE_INFINITY }: { at: Date; most?: number | undefined },
): Promise<void> {
  await requireRoomForDevice(transaction, organization, most)
  const isOwn = eq(enrolment.organizationId, organization)
  // Not those that a device is using at this moment: it waits for the organization.
  const over = transaction
    .select({ digest: enrolment.digest })
    .from(enrolment)
    .where(and(isOwn, or(isNotNull(enrolment.usedAt), lte(enrolment.expiresAt, at))))
    .for('update', { skipLocked: true })
  await transaction.delete(enrolment).where(inArray(enrolment.digest, over))
  const isOpen = and(isOwn, isNull(enrolment.usedAt), gt(enrolment.expiresAt, at))
  const tokens = await transaction.$count(enrolment, isOpen)
  if (tokens < most) return
  throw new StoreError(
    'limit',
    `Cannot create the token: the organization has ${tokens} of ${most} allowed unused tokens. Revoke tokens that nobody will use, or wait until they expire`,
  )
}
