import type { ModelDefaults } from '@hearth/protocol'
import { sql } from 'drizzle-orm'
import { check, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { timestamptz } from './columns.ts'
import { ofOrganization } from './people.ts'

export type ModelState = 'enabled' | 'disabled' | 'removed' | 'adding'

/** A model that is being added becomes enabled when the first device has it. A removed model stays as a tombstone, so that requests for it get a different error than requests for an unknown name. */
export const model = pgTable(
  'model',
  {
    organizationId: ofOrganization(),
    name: text().notNull(),
    state: text().$type<ModelState>().notNull(),
    ownedBy: text('owned_by').notNull(),
    createdAt: timestamptz('created_at').notNull().defaultNow(),
    /** The organization's own values for fields that a request leaves out; null if it set none. */
    defaults: jsonb().$type<ModelDefaults>(),
  },
  (table) => [
    primaryKey({ name: 'model_key', columns: [table.organizationId, table.name] }),
    check('model_state', sql`${table.state} in ('enabled', 'disabled', 'removed', 'adding')`),
  ],
)
