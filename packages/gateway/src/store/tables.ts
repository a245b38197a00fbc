// The schema, in PostgreSQL's dialect, for the embedded database and for others. The columns of person, organization and member have the account
// library's names, so that it can use these tables. No column contains a key or a credential (only digests) or any content. The tables for
// signing in are in account-tables.ts.
//
// Triggers are in the migrations: they increase access_revision and fill access_change in the transaction that changes a key, a model or a
// device, and revoke the keys of a member who leaves. A new column that decides about access has to be added to them.

import type { Machine, ModelDefaults } from '@hearth/protocol'
import { sql } from 'drizzle-orm'
import {
  bigint,
  bigserial,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgSequence,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import type { BusServer } from '../bus/bus.ts'
import type { ChangeKind, DeviceCodeState, Fields, ModelState, Role } from './store.ts'

export const person = pgTable('person', {
  id: text().primaryKey(),
  name: text().notNull(),
  /** Lower case. */
  email: text().notNull().unique(),
  emailVerified: boolean('email_verified').notNull().default(false),
  image: text(),
  twoFactorEnabled: boolean('two_factor_enabled').notNull().default(false),
  createdAt: moment('created_at').notNull().defaultNow(),
  updatedAt: moment('updated_at').notNull().defaultNow(),
})

export const organization = pgTable('organization', {
  id: text().primaryKey(),
  name: text().notNull(),
  slug: text().notNull().unique(),
  logo: text(),
  metadata: text(),
  createdAt: moment('created_at').notNull().defaultNow(),
  /** Devices reuse no prompts across API keys. */
  separatesPrefixes: boolean('separates_prefixes').notNull().default(false),
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
    // Not a reference to member: the row outlives the membership and is listed as revoked.
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
    /** The only models it may use; null means all of them. */
    models: text().array(),
    requestsPerMinute: integer('requests_per_minute'),
    tokensPerMinute: integer('tokens_per_minute'),
    jobsAtOnce: integer('jobs_at_once'),
    /** A disabled key is rejected until someone enables it again. */
    disabledAt: moment('disabled_at'),
    /** The secret from before the last rotation, which works until `previousEndsAt`. */
    previousDigest: text('previous_digest'),
    previousHint: text('previous_hint'),
    previousEndsAt: moment('previous_ends_at'),
    /** Set for playground keys: never listed, revoked when the session ends. Not a reference, because the row outlives the session. */
    sessionId: text('session_id'),
  },
  (table) => [
    index('api_key_organization').on(table.organizationId),
    index('api_key_created_by').on(table.createdBy),
    index('api_key_session').on(table.sessionId),
    index('api_key_playground_expiry')
      .on(table.expiresAt)
      .where(sql`${table.sessionId} is not null`),
  ],
)

/** A model that is being added becomes enabled when the first device has it. A removed model stays as a tombstone, so that requests for it get a different error than requests for an unknown name. */
export const model = pgTable(
  'model',
  {
    organizationId: ofOrganization(),
    name: text().notNull(),
    state: text().$type<ModelState>().notNull(),
    ownedBy: text('owned_by').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    /** What the organization set for requests that say nothing about it; null if nothing. */
    defaults: jsonb().$type<ModelDefaults>(),
  },
  (table) => [
    primaryKey({ name: 'model_key', columns: [table.organizationId, table.name] }),
    check('model_state', sql`${table.state} in ('enabled', 'disabled', 'removed', 'adding')`),
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
    /** The machine's own description of itself, and the address of its last connection. */
    machine: jsonb().$type<Machine>(),
    address: text(),
    /** A paused device stays online and gets no jobs. */
    pausedAt: moment('paused_at'),
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
    createdAt: moment('created_at').notNull().defaultNow(),
    expiresAt: moment('expires_at').notNull(),
    usedAt: moment('used_at'),
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
    createdAt: moment('created_at').notNull().defaultNow(),
    expiresAt: moment('expires_at').notNull(),
    state: text().$type<DeviceCodeState>().notNull(),
    wrongTries: integer('wrong_tries').notNull().default(0),
    polledAt: moment('polled_at'),
    intervalMs: integer('interval_ms').notNull(),
    organizationId: text('organization_id').references(() => organization.id, { onDelete: 'cascade' }),
  },
  (table) => [
    uniqueIndex('device_code_selector')
      .on(table.selector)
      .where(sql`${table.state} = 'pending'`),
    check('device_code_state', sql`${table.state} in ('pending', 'approved', 'denied', 'used')`),
  ],
)

/** A link that lets one person join, once. */
export const invitation = pgTable(
  'invitation',
  {
    id: text().primaryKey(),
    organizationId: ofOrganization(),
    // The account library requires a value; the default is a digest that no token has.
    digest: text()
      .notNull()
      .unique()
      .default(sql`gen_random_uuid()::text`),
    role: text().$type<Role>().notNull(),
    /** If set, only a person with this email address may use the invitation. Lower case. */
    email: text(),
    /** Set only by the operator: opening the link gives access to this person's account, which has no way to sign in yet. */
    claims: text().references(() => person.id, { onDelete: 'cascade' }),
    invitedBy: byPerson('invited_by'),
    createdAt: moment('created_at').notNull().defaultNow(),
    expiresAt: moment('expires_at').notNull(),
    status: text().$type<'pending' | 'accepted'>().notNull().default('pending'),
  },
  (table) => [
    index('invitation_organization').on(table.organizationId),
    check('invitation_role', sql`${table.role} in ('owner', 'admin', 'member')`),
  ],
)

/** Set-up links for the first owner. All of them stop working once one was used. */
export const setUpLink = pgTable('set_up_link', {
  digest: text().primaryKey(),
  expiresAt: moment('expires_at').notNull(),
})

/** The gateway's own secrets, if no setting provides them. The only secrets stored in plain text. */
export const gatewaySecret = pgTable('gateway_secret', { name: text().primaryKey(), value: text().notNull() })

/** A trigger prevents changes and deletions. No references: entries stay when the things they name are gone. */
export const auditLog = pgTable(
  'audit_log',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    organizationId: text('organization_id').notNull(),
    at: moment('at').notNull().defaultNow(),
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

/**
 * No references: counters outlive keys and devices, and a row of an organization that was just deleted must not make a whole batch fail.
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
    busyMs: total('busy_ms').default(0),
    /** Histograms of time-buckets.ts; empty in rows from before there were any. */
    times: integer()
      .array()
      .notNull()
      .default(sql`'{}'`),
  },
  (table) => [
    primaryKey({
      name: 'usage_hour_key',
      columns: [table.organizationId, table.hour, table.keyId, table.model, table.deviceId],
    }),
  ],
)

/** Failed requests by error code. */
export const usageCode = pgTable(
  'usage_code',
  {
    hour: moment('hour').notNull(),
    organizationId: text('organization_id').notNull(),
    keyId: text('key_id').notNull(),
    model: text().notNull(),
    deviceId: text('device_id').notNull(),
    code: text().notNull(),
    requests: total('requests'),
  },
  (table) => [
    primaryKey({
      name: 'usage_code_key',
      columns: [table.organizationId, table.hour, table.keyId, table.model, table.deviceId, table.code],
    }),
  ],
)

/**
 * The latest requests of each organization. A ring, in which a request replaces the one 100,000 requests before it, so that it never grows
 * and never needs cleaning up. No other index: changing an indexed column would leave garbage that only a vacuum removes.
 */
export const recentRequest = pgTable(
  'recent_request',
  {
    organizationId: text('organization_id').notNull(),
    /** The remainder of the number divided by the size of the ring. */
    slot: integer().notNull(),
    number: bigint({ mode: 'number' }).notNull(),
    at: moment('at').notNull(),
    request: text().notNull(),
    keyId: text('key_id').notNull(),
    model: text().notNull(),
    deviceId: text('device_id').notNull(),
    code: text().notNull(),
    promptTokens: integer('prompt_tokens').notNull(),
    completionTokens: integer('completion_tokens').notNull(),
    waitMs: integer('wait_ms').notNull(),
    firstTokenMs: integer('first_token_ms'),
    totalMs: integer('total_ms').notNull(),
    attempts: integer().notNull(),
    isStream: boolean('is_stream').notNull(),
  },
  (table) => [primaryKey({ name: 'recent_request_key', columns: [table.organizationId, table.slot] })],
)

/** How many requests each organization has had. */
export const requestCount = pgTable('request_count', {
  organizationId: text('organization_id').primaryKey(),
  last: bigint({ mode: 'number' }).notNull(),
})

/** How far the usage in a gateway's journal has been added to usage_hour, so that no batch is added twice. */
export const usageJournal = pgTable('usage_journal', {
  id: text().primaryKey(),
  lastBatch: bigint('last_batch', { mode: 'number' }).notNull(),
})

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

/** The gateways that form the service; see fleet/peers. The rows are exactly the peers of the current generation. */
export const peer = pgTable('replica', {
  number: bigserial({ mode: 'number' }).primaryKey(),
  id: text().notNull(),
  version: text().notNull(),
  acknowledged: total('acknowledged').default(0),
  turn: total('turn').default(0),
  peers: bigint({ mode: 'number' }).array().notNull().default([]),
  bus: jsonb().$type<BusServer>(),
  hears: bigint({ mode: 'number' }).array().notNull().default([]),
  isSetAside: boolean('is_set_aside').notNull().default(false),
})

/** One row. Whoever changes the peers holds it. */
export const peerGeneration = pgTable('replica_generation', {
  value: total('value'),
})

export const linkEpoch = pgSequence('link_epoch')

export function moment(name: string) {
  return timestamp(name, { withTimezone: true, mode: 'date' })
}

function total(name: string) {
  return bigint(name, { mode: 'number' }).notNull()
}

/** The creator, as long as that person exists. */
function byPerson(name: string) {
  return text(name).references(() => person.id, { onDelete: 'set null' })
}

function ofOrganization() {
  return text('organization_id')
    .notNull()
    .references(() => organization.id, { onDelete: 'cascade' })
}
