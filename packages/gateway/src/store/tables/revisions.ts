import { bigint, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'

export const accessRevision = pgTable('access_revision', {
  name: text().$type<'keys' | 'models' | 'devices'>().primaryKey(),
  value: bigint({ mode: 'number' }).notNull(),
})

/**
 * The latest changes of access: each revision names what changed. A ring, in which a change replaces the one 10,000 revisions before it, so
 * that it never grows and never needs cleaning up.
 */
export const accessChange = pgTable(
  'access_change',
  {
    kind: text().$type<'keys' | 'models' | 'devices'>().notNull(),
    /** The remainder of the revision divided by the size of the ring. */
    slot: integer().notNull(),
    revision: bigint({ mode: 'number' }).notNull(),
    organizationId: text('organization_id').notNull(),
    /** The name of a model; the id of a key or device; empty if nothing changed for any of them. */
    objectId: text('object_id').notNull(),
  },
  (table) => [primaryKey({ name: 'access_change_key', columns: [table.kind, table.slot] })],
)
