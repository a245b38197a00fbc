// The audit log. Every query that changes something takes `by` and writes its entry in the same transaction.

import { and, desc, eq, inArray, lt, sql, type Column, type SQL } from 'drizzle-orm'
import { inTransaction } from './database/bind-queries.ts'
import type { Database, Handle } from './database/database.ts'
import { takeUpkeep } from './database/upkeep-lock.ts'
import { DELETED_ACCOUNT, person } from './tables/people.ts'
import { auditLog, organizationRevision, type ChangeKind, type Fields } from './tables/audit.ts'

export const auditQueries = { listAudit, recordRejection, organizationRevisions, ...inTransaction({ pruneAudit }) }

export interface Actor {
  kind: 'person' | 'operator' | 'device'
  id?: string
  name: string
  /** The client address that the change came from. */
  address?: string
}

export interface By {
  /** Absent for the operator at the command line. */
  by?: Actor
}

export interface AuditEntry {
  id: number
  at: Date
  actor: Actor
  /** Kind of object and verb, e.g. `key.revoke`. */
  action: string
  isRefused: boolean
  object: { kind: string; id: string; name: string }
  before?: Fields
  after?: Fields
}

type NewEntry = Omit<AuditEntry, 'id' | 'at' | 'isRefused'> & { organization: string; isRefused?: boolean }

export interface OrganizationRevision {
  organization: string
  kind: ChangeKind
  value: number
}

/** The pages that show each kind of object. */
const SHOWN_WITH = {
  device: 'devices',
  enrolment: 'devices',
  invitation: 'members',
  key: 'keys',
  member: 'members',
  model: 'models',
  organization: 'organization',
} as const satisfies Record<string, ChangeKind>

type ObjectKind = keyof typeof SHOWN_WITH

/** A change to record in the audit log. Its action begins with the kind of the object that was changed. */
export interface Change {
  organization: string
  by: Actor | undefined
  action: `${ObjectKind}.${string}`
  /** Of the object. */
  id: string
  name: string
  before?: Fields
  after?: Fields
  /** What else changed with it, for pages that show that. */
  also?: readonly ChangeKind[]
}

const OPERATOR: Actor = { kind: 'operator', name: 'operator' }

/**
 * Records a change in the transaction that makes it. Call it last: the revisions it increases stay locked until the commit, always in the
 * same order.
 */
export async function recordChange(
  transaction: Handle,
  { by, organization, id, name, also = [], ...entry }: Change,
): Promise<void> {
  const kind = entry.action.split('.', 1)[0] as ObjectKind
  const object = { kind, id, name }
  await transaction.insert(auditLog).values(toRow({ organization, actor: by ?? OPERATOR, object, ...entry }))
  const kinds: readonly ChangeKind[] = [SHOWN_WITH[kind], ...also]
  await transaction
    .insert(organizationRevision)
    .values(kinds.toSorted().map((kind) => ({ organizationId: organization, kind, value: 1 })))
    .onConflictDoUpdate({
      target: [organizationRevision.organizationId, organizationRevision.kind],
      set: { value: sql`${organizationRevision.value} + 1` },
    })
}

interface AuditQuestion {
  organization: string
  /** The id of the last entry on the previous page. */
  before?: number | undefined
  /** Only what this person did. */
  actor?: string
  limit: number
}

/** Newest first. */
async function listAudit(
  { query }: Database,
  { organization, before, actor, limit }: AuditQuestion,
): Promise<AuditEntry[]> {
  const older = before === undefined ? undefined : lt(auditLog.id, before)
  const rows = await query
    .select({
      entry: auditLog,
      isActorGone: sql<boolean>`${isDeleted(auditLog.actorId)}`,
      isObjectGone: sql<boolean>`${and(eq(auditLog.objectKind, 'member'), isDeleted(auditLog.objectId))}`,
    })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.organizationId, organization),
        older,
        actor === undefined ? undefined : eq(auditLog.actorId, actor),
      ),
    )
    .orderBy(desc(auditLog.id))
    .limit(limit)
  return rows.map(({ entry, isActorGone, isObjectGone }) => withoutDeleted(fromRow(entry), isActorGone, isObjectGone))
}

function isDeleted(id: Column): SQL {
  return sql`exists (select from ${person} where ${person.id} = ${id} and ${person.deletedAt} is not null)`
}

/** The log itself only grows, so the names of people who deleted their accounts are left out where it is read. */
function withoutDeleted(entry: AuditEntry, isActorGone: boolean, isObjectGone: boolean): AuditEntry {
  const { actor, object, before, after, ...rest } = entry
  const { address: _, ...known } = actor
  const fields = isObjectGone ? { before: withoutName(before), after: withoutName(after) } : { before, after }
  return {
    ...rest,
    actor: isActorGone ? { ...known, name: DELETED_ACCOUNT } : actor,
    object: isObjectGone ? { ...object, name: DELETED_ACCOUNT } : object,
    ...(fields.before && { before: fields.before }),
    ...(fields.after && { after: fields.after }),
  }
}

function withoutName(fields: Fields | undefined): Fields | undefined {
  const { name: _, ...rest } = fields ?? {}
  return fields && rest
}

/** Records a request that was denied. */
async function recordRejection({ query }: Database, entry: NewEntry): Promise<void> {
  await insertEntries(query, [{ ...entry, isRefused: true }])
}

/** Records what changes nothing that pages show. */
export async function insertEntries(handle: Handle, entries: readonly NewEntry[]): Promise<void> {
  if (entries.length > 0) await handle.insert(auditLog).values(entries.map(toRow))
}

/** Deletes entries that are older, from the oldest `limit` ones; returns how many. The database lets nobody delete younger ones. */
async function pruneAudit(transaction: Handle, { before, limit }: { before: Date; limit: number }): Promise<number> {
  if (!(await takeUpkeep(transaction))) return 0
  const { rowCount } = await transaction.execute(sql`
    delete from ${auditLog} where at < ${before.toISOString()} and id in (select id from ${auditLog} order by id limit ${limit})`)
  return rowCount ?? 0
}

/** Numbers that increase with every change of that kind, for pages that show it. */
async function organizationRevisions(
  { query }: Database,
  organizations: readonly string[],
): Promise<OrganizationRevision[]> {
  if (organizations.length === 0) return []
  return await query
    .select({
      organization: organizationRevision.organizationId,
      kind: organizationRevision.kind,
      value: organizationRevision.value,
    })
    .from(organizationRevision)
    .where(inArray(organizationRevision.organizationId, [...organizations]))
}

function toRow({ organization, actor, action, object, before, after, isRefused = false }: NewEntry) {
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
    isRefused,
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
