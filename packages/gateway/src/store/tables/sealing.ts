import { sql } from 'drizzle-orm'
import { bigint, check, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { timestamptz } from './columns.ts'
import { ofOrganization } from './people.ts'

export type ListKind = 'administrators' | 'devices'

/** What an organization's seal has signed: the newest list of each kind, exactly as it was signed. Public keys and names, no secrets. */
export const signedList = pgTable(
  'signed_list',
  {
    organizationId: ofOrganization(),
    kind: text().$type<ListKind>().notNull(),
    /** As in the text. Increases by one with every list. */
    number: bigint({ mode: 'number' }).notNull(),
    text: text().notNull(),
    key: text().notNull(),
    signature: text().notNull(),
    putAt: timestamptz('put_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ name: 'signed_list_key', columns: [table.organizationId, table.kind] }),
    check('signed_list_kind', sql`${table.kind} in ('administrators', 'devices')`),
  ],
)
