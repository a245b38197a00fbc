import { randomUUIDv7 } from 'node:crypto'
import type { Machine } from '@hearth/protocol'
import { sql } from 'drizzle-orm'
import { recordChange, type Actor } from '../audit.ts'
import type { Handle } from '../database/database.ts'
import { omitNulls, type RowOf } from '../database/omit-nulls.ts'
import { onlyRow } from '../database/only-row.ts'
import { device } from '../tables/devices.ts'
import { freeDeviceName } from './device-names.ts'
import { requireRoomForDevice } from './device-quota.ts'

export interface NewDevice {
  organization: string
  name: string
  credentialDigest: string
  address: string | undefined
  app: string | undefined
  machine: Machine | undefined
  /** The person who let it join. */
  addedBy: string | null
  /** How many devices the organization may have. */
  most: number | undefined
}

export const deviceColumns = {
  id: device.id,
  organization: device.organizationId,
  name: device.name,
  createdAt: device.createdAt,
  isPaused: sql<boolean>`${device.pausedAt} is not null`,
  app: device.app,
  lastSeenAt: device.lastSeenAt,
  machine: device.machine,
  address: device.address,
}

/** With the person who let it join, unless that was the operator, or long ago. */
export type Device = RowOf<typeof deviceColumns> & { addedByName?: string }

/** Fails with `limit` if the organization has too many. The actor is the device itself: it had a token, or an approval that is already in the audit log. */
export async function insertDevice(
  transaction: Handle,
  { organization, name, most, ...input }: NewDevice,
): Promise<Device> {
  await requireRoomForDevice(transaction, organization, most)
  const free = await freeDeviceName(transaction, organization, name)
  const rows = await transaction
    .insert(device)
    .values({ id: randomUUIDv7(), organizationId: organization, name: free, ...input })
    .returning(deviceColumns)
  const created = omitNulls(onlyRow(rows))
  const { address } = input
  const by: Actor = { kind: 'device', id: created.id, name: created.name, ...(address && { address }) }
  await recordChange(transaction, {
    organization,
    by,
    action: 'device.enrol',
    id: created.id,
    name: free,
    after: { name: free },
  })
  return created
}
