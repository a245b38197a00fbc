import { and, desc, eq, inArray, lt, sql } from 'drizzle-orm'
import type { Database, Handle } from './database.ts'
import type { Actor, AuditEntry, AuditStore, ChangeKind, Fields } from './store.ts'
import { auditLog, organizationRevision } from './tables.ts'

/** A change to record in the audit log. */
export interface Change {
  organization: string
  by: Actor | undefined
  action: string
  object: AuditEntry['object']
  before?: Fields
  after?: Fields
  /** The kinds of things that changed, for pages that show them. */
  kinds: readonly ChangeKind[]
}

const OPERATOR: Actor = { kind: 'operator', name: 'operator' }

/**
 * Records a change in the transaction that makes it. Call it last: the revisions it increases stay locked until the commit, always in the
 * same order.
 */
export async function recordChange(transaction: Handle, { by, organization, kinds, ...entry }: Change): Promise<void> {
  await transaction.insert(auditLog).values(toRow({ organization, actor: by ?? OPERATOR, ...entry }))
  await transaction
    .insert(organizationRevision)
    .values(kinds.toSorted().map((kind) => ({ organizationId: organization, kind, value: 1 })))
    .onConflictDoUpdate({
      target: [organizationRevision.organizationId, organizationRevision.kind],
      set: { value: sql`${organizationRevision.value} + 1` },
    })
}

export function auditQueries({ query }: Database): AuditStore {
  return {
    async listAudit({ organization, before, limit }) {
      const older = before === undefined ? undefined : lt(auditLog.id, before)
      const rows = await query
        .select()
        .from(auditLog)
        .where(and(eq(auditLog.organizationId, organization), older))
        .orderBy(desc(auditLog.id))
        .limit(limit)
      return rows.map(fromRow)
    },

    async recordRefusal({ organization, ...entry }) {
      await query.insert(auditLog).values({ ...toRow({ organization, ...entry }), isRefused: true })
    },

    async organizationRevisions(organizations) {
      if (organizations.length === 0) return []
      return await query
        .select({
          organization: organizationRevision.organizationId,
          kind: organizationRevision.kind,
          value: organizationRevision.value,
        })
        .from(organizationRevision)
        .where(inArray(organizationRevision.organizationId, [...organizations]))
    },
  }
}

type NewEntry = Omit<AuditEntry, 'id' | 'at' | 'isRefused'> & { organization: string }

function toRow({ organization, actor, action, object, before, after }: NewEntry) {
  return {
    organizationId: organization,
    actorKind: actor.kind,
    actorId: actor.id,
    actorName: actor.name,
    address: actor.address,
    action,
    objectKind: object.kind,
    objectId: object.id,
    objectName: object.name,
    before,
    after,
  }
}

function fromRow(row: typeof auditLog.$inferSelect): AuditEntry {
  return {
    id: row.id,
    at: row.at,
    actor: {
      kind: row.actorKind,
      name: row.actorName,
      ...(row.actorId !== null && { id: row.actorId }),
      ...(row.address !== null && { address: row.address }),
    },
    action: row.action,
    isRefused: row.isRefused,
    object: { kind: row.objectKind, id: row.objectId, name: row.objectName },
    ...(row.before && { before: row.before }),
    ...(row.after && { after: row.after }),
  }
}
