import type { Machine } from '@hearth/protocol'
import { and, asc, eq, sql } from 'drizzle-orm'
import { recordChange, type By } from '../audit.ts'
import { inTransaction } from '../database/bind-queries.ts'
import type { Database, Handle } from '../database/database.ts'
import { omitNulls } from '../database/omit-nulls.ts'
import { device } from '../tables/devices.ts'
import { person } from '../tables/people.ts'
import { requireFreeName } from './device-names.ts'
import { deviceColumns, type Device } from './device-rows.ts'

export const deviceQueries = { listDevices, devicesSeen, ...inTransaction({ changeDevice, removeDevice }) }

interface DeviceChoice {
  organization: string
  device: string
}

interface DeviceChange extends DeviceChoice {
  name?: string | undefined
  isPaused?: boolean | undefined
}

export interface Sighting {
  device: string
  /** Undefined if it is not known. */
  app?: string
  machine?: Machine
  address?: string
  at: Date
}

/** Throws a conflict if another device of the organization has the new name. */
async function changeDevice(
  transaction: Handle,
  { name, isPaused, by, ...choice }: DeviceChange & By,
): Promise<boolean> {
  const isMeant = isDevice(choice)
  const [before] = await transaction.select(deviceColumns).from(device).where(isMeant).for('no key update')
  if (!before) return false
  const { organization, id } = before
  if (name !== undefined) await requireFreeName(transaction, { organization, id, name })
  const after = { name: name ?? before.name, isPaused: isPaused ?? before.isPaused }
  const pausedAt = after.isPaused ? sql`coalesce(${device.pausedAt}, now())` : null
  await transaction.update(device).set({ name: after.name, pausedAt }).where(isMeant)
  const was = { name: before.name, isPaused: before.isPaused }
  const change = { name: after.name, before: was, after }
  await recordChange(transaction, { organization, by, action: 'device.change', id, ...change })
  return true
}

async function removeDevice(transaction: Handle, { by, ...choice }: DeviceChoice & By): Promise<boolean> {
  const [removed] = await transaction.delete(device).where(isDevice(choice)).returning(deviceColumns)
  if (!removed) return false
  const { organization, id, name } = removed
  await recordChange(transaction, { organization, by, action: 'device.remove', id, name, before: { name } })
  return true
}

async function listDevices({ query }: Database, organization: string): Promise<Device[]> {
  const rows = await query
    .select({ ...deviceColumns, addedByName: person.name })
    .from(device)
    .leftJoin(person, eq(person.id, device.addedBy))
    .where(eq(device.organizationId, organization))
    .orderBy(asc(device.name), asc(device.id))
  return rows.map(omitNulls)
}

/** Written when devices connect and disconnect, never per request. An older sighting changes nothing. */
async function devicesSeen({ query }: Database, sightings: readonly Sighting[]): Promise<void> {
  if (sightings.length === 0) return
  const devices = sql.param(sightings.map(({ device: id }) => id))
  const apps = sql.param(sightings.map(({ app }) => app ?? null))
  const machines = sql.param(sightings.map(({ machine }) => (machine ? JSON.stringify(machine) : null)))
  const addresses = sql.param(sightings.map(({ address }) => address ?? null))
  const moments = sql.param(sightings.map(({ at }) => at.toISOString()))
  await query.execute(sql`
    update ${device} set last_seen_at = seen.at, app = coalesce(seen.app, ${device.app}),
      machine = coalesce(seen.machine::jsonb, ${device.machine}), address = coalesce(seen.address, ${device.address})
    from unnest(${devices}::text[], ${apps}::text[], ${machines}::text[], ${addresses}::text[], ${moments}::timestamptz[])
      as seen(id, app, machine, address, at)
    where ${device.id} = seen.id and (${device.lastSeenAt} is null or ${device.lastSeenAt} <= seen.at)`)
}

function isDevice({ organization, device: id }: DeviceChoice) {
  return and(eq(device.organizationId, organization), eq(device.id, id))
}
