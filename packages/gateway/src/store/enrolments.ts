import { and, desc, eq, gt, isNull } from 'drizzle-orm'
import { recordChange } from './audit.ts'
import type { Database } from './database.ts'
import { insertDevice } from './devices.ts'
import { omitNulls } from './omit-nulls.ts'
import type { EnrolmentStore } from './store.ts'
import { enrolment, person } from './tables.ts'

type EnrolmentQueries = Pick<
  EnrolmentStore,
  'createEnrolment' | 'listEnrolments' | 'revokeEnrolment' | 'redeemEnrolment'
>

const columns = {
  id: enrolment.id,
  organization: enrolment.organizationId,
  createdAt: enrolment.createdAt,
  expiresAt: enrolment.expiresAt,
}

export function enrolmentQueries({ query, transact }: Database): EnrolmentQueries {
  return {
    createEnrolment({ organization, by, ...rest }) {
      return transact(async (transaction) => {
        const [created] = await transaction
          .insert(enrolment)
          .values({ organizationId: organization, ...rest })
          .returning(columns)
        const { id, expiresAt } = created!
        await recordChange(transaction, {
          organization,
          by,
          action: 'enrolment.create',
          object: { kind: 'enrolment', id, name: '' },
          after: { expiresAt: expiresAt.toISOString() },
          kinds: ['devices'],
        })
        return created!
      })
    },

    async listEnrolments({ organization, at }) {
      const rows = await query
        .select({ ...columns, createdByName: person.name })
        .from(enrolment)
        .leftJoin(person, eq(person.id, enrolment.createdBy))
        .where(and(eq(enrolment.organizationId, organization), isOpen(at)))
        .orderBy(desc(enrolment.createdAt))
      return rows.map(omitNulls)
    },

    revokeEnrolment({ organization, enrolment: id, by }) {
      return transact(async (transaction) => {
        const removed = await transaction
          .delete(enrolment)
          .where(and(eq(enrolment.organizationId, organization), eq(enrolment.id, id), isNull(enrolment.usedAt)))
          .returning({ id: enrolment.id })
        if (removed.length === 0) return false
        const object = { kind: 'enrolment', id, name: '' }
        await recordChange(transaction, { organization, by, action: 'enrolment.revoke', object, kinds: ['devices'] })
        return true
      })
    },

    redeemEnrolment({ digest, at, name, credentialDigest, address, app, machine }) {
      return transact(async (transaction) => {
        // The update locks the row: if two devices redeem the token at the same moment, the second one waits and then finds it used.
        const [burnt] = await transaction
          .update(enrolment)
          .set({ usedAt: at })
          .where(and(eq(enrolment.digest, digest), isOpen(at)))
          .returning({ organization: enrolment.organizationId })
        const joining = { name, credentialDigest, address, app, machine }
        return burnt && (await insertDevice(transaction, { ...burnt, ...joining }))
      })
    },
  }
}

function isOpen(at: Date) {
  return and(isNull(enrolment.usedAt), gt(enrolment.expiresAt, at))
}
