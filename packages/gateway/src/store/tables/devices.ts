import type { Machine } from '@hearth/protocol'
import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { timestamptz } from './columns.ts'
import { byPerson, ofOrganization, organization } from './people.ts'

export type DeviceCodeState = 'pending' | 'approved' | 'denied' | 'used'

export const device = pgTable(
  'device',
  {
    id: text().primaryKey(),
    organizationId: ofOrganization(),
    name: text().notNull(),
    credentialDigest: text('credential_digest').notNull().unique(),
    createdAt: timestamptz('created_at').notNull().defaultNow(),
    /** The person who approved its code, or created the token that it joined with. */
    addedBy: byPerson('added_by'),
    app: text(),
    lastSeenAt: timestamptz('last_seen_at'),
    /** The machine's own description of itself, and the address of its last connection. */
    machine: jsonb().$type<Machine>(),
    address: text(),
    /** A paused device stays online and gets no jobs. */
    pausedAt: timestamptz('paused_at'),
  },
  (table) => [index('device_organization').on(table.organizationId)],
)

export const enrolment = pgTable(
  'enrolment',
  {
    digest: text().primaryKey(),
    /** Identifies the token in lists. */
    id: text()
      .notNull()
      .unique()
      .default(sql`gen_random_uuid()::text`),
    organizationId: ofOrganization(),
    createdBy: byPerson('created_by'),
    createdAt: timestamptz('created_at').notNull().defaultNow(),
    expiresAt: timestamptz('expires_at').notNull(),
    usedAt: timestamptz('used_at'),
  },
  (table) => [index('enrolment_organization').on(table.organizationId)],
)

/** A device that asks to join with a code. No two waiting devices share the first half of their codes. */
export const deviceCode = pgTable(
  'device_code',
  {
    digest: text().primaryKey(),
    selector: text().notNull(),
    userCodeDigest: text('user_code_digest').notNull(),
    name: text().notNull(),
    app: text().notNull(),
    system: text().notNull(),
    address: text().notNull(),
    machine: jsonb().$type<Machine>(),
    createdAt: timestamptz('created_at').notNull().defaultNow(),
    expiresAt: timestamptz('expires_at').notNull(),
    state: text().$type<DeviceCodeState>().notNull(),
    wrongTries: integer('wrong_tries').notNull().default(0),
    polledAt: timestamptz('polled_at'),
    intervalMs: integer('interval_ms').notNull(),
    organizationId: text('organization_id').references(() => organization.id, { onDelete: 'cascade' }),
    approvedBy: byPerson('approved_by'),
  },
  (table) => [
    uniqueIndex('device_code_selector')
      .on(table.selector)
      .where(sql`${table.state} = 'pending'`),
    check('device_code_state', sql`${table.state} in ('pending', 'approved', 'denied', 'used')`),
  ],
)
