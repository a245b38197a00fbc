// No two devices of an organization have the same name, whatever the case of its letters. Devices that joined before this rule keep theirs.

import { and, eq, ne, sql } from 'drizzle-orm'
import type { Handle } from '../database/database.ts'
import { StoreError } from '../database/store-error.ts'
import { lockOrganization } from '../people/organization-rows.ts'
import { device } from '../tables/devices.ts'

/** The name, or the name with the first number that makes it different: `vm`, `vm 2`, `vm 3`. */
export async function freeDeviceName(transaction: Handle, organizationId: string, name: string): Promise<string> {
  // Two devices that join at the same moment get their names one after the other.
  await lockOrganization(transaction, organizationId)
  const rows = await transaction
    .select({ name: device.name })
    .from(device)
    .where(and(eq(device.organizationId, organizationId), sql`starts_with(lower(${device.name}), lower(${name}))`))
  const taken = new Set(rows.map((row) => row.name.toLowerCase()))
  if (!taken.has(name.toLowerCase())) return name
  let number = 2
  while (taken.has(`${name} ${number}`.toLowerCase())) number++
  return `${name} ${number}`
}

export async function requireFreeName(
  transaction: Handle,
  change: { organization: string; id: string; name: string },
): Promise<void> {
  await lockOrganization(transaction, change.organization)
  const isSameName = sql`lower(${device.name}) = lower(${change.name})`
  const [other] = await transaction
    .select({ id: device.id })
    .from(device)
    .where(and(eq(device.organizationId, change.organization), ne(device.id, change.id), isSameName))
    .limit(1)
  if (other) throw new StoreError('conflict', 'Another device has this name. Choose a different one')
}
