import { randomUUIDv7 } from 'node:crypto'
import { and, asc, eq, gt, isNull } from 'drizzle-orm'
import type { Database } from './database.ts'
import { omitNulls } from './omit-nulls.ts'
import type { Store } from './store.ts'
import { device, enrolment } from './tables.ts'

type DeviceQueries = Pick<
  Store,
  'accessDevices' | 'createEnrolment' | 'redeemEnrolment' | 'removeDevice' | 'listDevices' | 'deviceSeen'
>

const columns = {
  id: device.id,
  organization: device.organizationId,
  name: device.name,
  createdAt: device.createdAt,
  app: device.app,
  lastSeenAt: device.lastSeenAt,
}

export function deviceQueries({ query, transact }: Database): DeviceQueries {
  return {
    accessDevices() {
      return query
        .select({
          id: device.id,
          organization: device.organizationId,
          name: device.name,
          credentialDigest: device.credentialDigest,
        })
        .from(device)
    },

    async createEnrolment({ organization, digest, expiresAt }) {
      await query.insert(enrolment).values({ organizationId: organization, digest, expiresAt })
    },

    redeemEnrolment({ digest, name, credentialDigest, at }) {
      return transact(async (transaction) => {
        // The update locks the row: of two redeemers at once the second one waits, and then finds the token used.
        const [burnt] = await transaction
          .update(enrolment)
          .set({ usedAt: at })
          .where(and(eq(enrolment.digest, digest), isNull(enrolment.usedAt), gt(enrolment.expiresAt, at)))
          .returning({ organizationId: enrolment.organizationId })
        if (!burnt) return undefined
        const [created] = await transaction
          .insert(device)
          .values({ id: randomUUIDv7(), ...burnt, name, credentialDigest })
          .returning(columns)
        return omitNulls(created!)
      })
    },

    async removeDevice({ organization, device: id }) {
      const removed = await query
        .delete(device)
        .where(and(eq(device.organizationId, organization), eq(device.id, id)))
        .returning({ id: device.id })
      return removed.length > 0
    },

    async listDevices(organization) {
      const rows = await query
        .select(columns)
        .from(device)
        .where(eq(device.organizationId, organization))
        .orderBy(asc(device.name), asc(device.id))
      return rows.map(omitNulls)
    },

    async deviceSeen({ device: id, app, at }) {
      await query.update(device).set({ app, lastSeenAt: at }).where(eq(device.id, id))
    },
  }
}
