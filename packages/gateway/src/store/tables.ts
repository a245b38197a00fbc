// The schema, in PostgreSQL's dialect for PostgreSQL and PGlite alike. Columns of person, organization and member follow the account
// library's names, so that it can take these tables over. No column holds a secret (only digests) and none holds content.
//
// Triggers live in the migrations: they move access_revision in the transaction that changes a key, a model or a device, and revoke the
// keys of a member who leaves, whoever makes the change.

import { sql } from 'drizzle-orm'
import { bigint, check, index, pgTable, primaryKey, text, timestamp, unique } from 'drizzle-orm/pg-core'
import type { ModelState, Role } from './store.ts'

export const person = pgTable('person', {
  id: text().primaryKey(),
  name: text().notNull(),
  /** Lower case. */
  email: text().notNull().unique(),
  createdAt: moment('created_at').notNull().defaultNow(),
  updatedAt: moment('updated_at').notNull().defaultNow(),
})

export const organization = pgTable('organization', {
  id: text().primaryKey(),
  name: text().notNull(),
  slug: text().notNull().unique(),
  createdAt: moment('created_at').notNull().defaultNow(),
})

export const member = pgTable(
  'member',
  {
    id: text().primaryKey(),
    organizationId: ofOrganization(),
    personId: text('person_id')
      .notNull()
      .references(() => person.id, { onDelete: 'cascade' }),
    role: text().$type<Role>().notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    unique('member_organization_person').on(table.organizationId, table.personId),
    index('member_person').on(table.personId),
    check('member_role', sql`${table.role} in ('owner', 'admin', 'member')`),
  ],
)

export const apiKey = pgTable(
  'api_key',
  {
    id: text().primaryKey(),
    organizationId: ofOrganization(),
    // Not a reference to member: the row outlives the membership, to be listed as revoked.
    createdBy: text('created_by')
      .notNull()
      .references(() => person.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    digest: text().notNull().unique(),
    hint: text().notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    expiresAt: moment('expires_at'),
    revokedAt: moment('revoked_at'),
    lastUsedAt: moment('last_used_at'),
  },
  (table) => [index('api_key_organization').on(table.organizationId), index('api_key_created_by').on(table.createdBy)],
)

/** A removed model stays as a tombstone, so that asking for it is answered differently from asking for a name never known. */
export const model = pgTable(
  'model',
  {
    organizationId: ofOrganization(),
    name: text().notNull(),
    state: text().$type<ModelState>().notNull(),
    ownedBy: text('owned_by').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ name: 'model_key', columns: [table.organizationId, table.name] }),
    check('model_state', sql`${table.state} in ('enabled', 'disabled', 'removed')`),
  ],
)

export const device = pgTable(
  'device',
  {
    id: text().primaryKey(),
    organizationId: ofOrganization(),
    name: text().notNull(),
    credentialDigest: text('credential_digest').notNull().unique(),
    createdAt: moment('created_at').notNull().defaultNow(),
    app: text(),
    lastSeenAt: moment('last_seen_at'),
  },
  (table) => [index('device_organization').on(table.organizationId)],
)

export const enrolment = pgTable(
  'enrolment',
  {
    digest: text().primaryKey(),
    organizationId: ofOrganization(),
    createdAt: moment('created_at').notNull().defaultNow(),
    expiresAt: moment('expires_at').notNull(),
    usedAt: moment('used_at'),
  },
  (table) => [index('enrolment_organization').on(table.organizationId)],
)

/**
 * No references: counters outlive keys and devices, and one row of an organization that was just deleted must not make a whole batch fail.
 */
export const usageHour = pgTable(
  'usage_hour',
  {
    hour: moment('hour').notNull(),
    organizationId: text('organization_id').notNull(),
    keyId: text('key_id').notNull(),
    model: text().notNull(),
    deviceId: text('device_id').notNull(),
    requests: total('requests'),
    errors: total('errors'),
    promptTokens: total('prompt_tokens'),
    completionTokens: total('completion_tokens'),
    waitMs: total('wait_ms'),
  },
  (table) => [
    primaryKey({
      name: 'usage_hour_key',
      columns: [table.organizationId, table.hour, table.keyId, table.model, table.deviceId],
    }),
  ],
)

export const accessRevision = pgTable('access_revision', {
  name: text().$type<'keys' | 'models' | 'devices'>().primaryKey(),
  value: bigint({ mode: 'number' }).notNull(),
})

function moment(name: string) {
  return timestamp(name, { withTimezone: true, mode: 'date' })
}

function total(name: string) {
  return bigint(name, { mode: 'number' }).notNull()
}

function ofOrganization() {
  return text('organization_id')
    .notNull()
    .references(() => organization.id, { onDelete: 'cascade' })
}
