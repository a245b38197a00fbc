import { randomUUIDv7 } from 'node:crypto'
import type { Machine } from '@hearth/protocol'
import { and, asc, eq, sql } from 'drizzle-orm'
import { recordChange, type Change } from './audit.ts'
import type { Database, Handle } from './database.ts'
import { freeDeviceName, refuseTakenName } from './device-names.ts'
import { omitNulls } from './omit-nulls.ts'
import type { Actor, Device, DeviceStore } from './store.ts'
import { device } from './tables.ts'

const isPaused = sql<boolean>`${device.pausedAt} is not null`

const columns = {
  id: device.id,
  organization: device.organizationId,
  name: device.name,
  createdAt: device.createdAt,
  isPaused,
  app: device.app,
  lastSeenAt: device.lastSeenAt,
  machine: device.machine,
  address: device.address,
}

export function deviceQueries({ query, transact }: Database): DeviceStore {
  return {
    changeDevice({ organization, device: id, name, isPaused: pauses, by }) {
      return transact(async (transaction) => {
        const isMeant = and(eq(device.organizationId, organization), eq(device.id, id))
        const [before] = await transaction.select(columns).from(device).where(isMeant).for('no key update')
        if (!before) return false
        if (name !== undefined) await refuseTakenName(transaction, { organization, id, name })
        const after = { name: name ?? before.name, isPaused: pauses ?? before.isPaused }
        const pausedAt = after.isPaused ? sql`coalesce(${device.pausedAt}, now())` : null
        await transaction.update(device).set({ name: after.name, pausedAt }).where(isMeant)
        await recordChange(transaction, {
          ...describe({ ...before, ...after }),
          by,
          action: 'device.change',
          before: { name: before.name, isPaused: before.isPaused },
          after,
        })
        return true
      })
    },

    removeDevice({ organization, device: id, by }) {
      return transact(async (transaction) => {
        const [removed] = await transaction
          .delete(device)
          .where(and(eq(device.organizationId, organization), eq(device.id, id)))
          .returning(columns)
        if (!removed) return false
        const before = { name: removed.name }
        await recordChange(transaction, { ...describe(removed), by, action: 'device.remove', before })
        return true
      })
    },

    async listDevices(organization) {
      const rows = await query
        .select(columns)
        .from(device)
        .where(eq(device.organizationId, organization))
        .orderBy(asc(device.name), asc(device.id))
      return rows.map(omitNulls)
    },

    async devicesSeen(sightings) {
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
    },
  }
}

export interface NewDevice {
  organization: string
  name: string
  credentialDigest: string
  address: string | undefined
  app: string | undefined
  machine: Machine | undefined
}

/** The actor is the device itself: it had a token, or an approval that is already in the audit log. */
export async function insertDevice(transaction: Handle, { organization, name, ...input }: NewDevice): Promise<Device> {
  const free = await freeDeviceName(transaction, organization, name)
  const [row] = await transaction
    .insert(device)
    .values({ id: randomUUIDv7(), organizationId: organization, name: free, ...input })
    .returning(columns)
  const created = omitNulls(row!)
  const { address } = input
  const by: Actor = { kind: 'device', id: created.id, name: created.name, ...(address && { address }) }
  await recordChange(transaction, { ...describe(created), by, action: 'device.enrol', after: { name: created.name } })
  return created
}

function describe({ organization, id, name }: Pick<Device, 'organization' | 'id' | 'name'>) {
  const kinds: Change['kinds'] = ['devices']
  return { organization, object: { kind: 'device', id, name }, kinds }
}
