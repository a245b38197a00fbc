import { bigint, bigserial, boolean, index, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { timestamptz } from './columns.ts'
import { ofOrganization } from './people.ts'

/** Names and settings before or after a change. No content, secrets or digests. */
export type Fields = Record<string, unknown>

export type ChangeKind = 'devices' | 'keys' | 'members' | 'models' | 'organization'

/** A trigger prevents changes and deletions. No references: entries stay when the things they name are gone. */
export const auditLog = pgTable(
  'audit_log',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    organizationId: text('organization_id').notNull(),
    at: timestamptz('at').notNull().defaultNow(),
    actorKind: text('actor_kind').$type<'person' | 'operator' | 'device'>().notNull(),
    actorId: text('actor_id'),
    actorName: text('actor_name').notNull(),
    address: text(),
    action: text().notNull(),
    isRefused: boolean('is_refused').notNull().default(false),
    objectKind: text('object_kind').notNull(),
    objectId: text('object_id').notNull(),
    objectName: text('object_name').notNull(),
    before: jsonb().$type<Fields>(),
    after: jsonb().$type<Fields>(),
  },
  (table) => [index('audit_log_organization').on(table.organizationId, table.id)],
)

/** Increases with every change of that kind, for pages that show it. */
export const organizationRevision = pgTable(
  'organization_revision',
  {
    organizationId: ofOrganization(),
    kind: text().$type<ChangeKind>().notNull(),
    value: bigint({ mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ name: 'organization_revision_key', columns: [table.organizationId, table.kind] })],
)
