import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { timestamptz, total } from './columns.ts'

/**
 * No references: counters outlive keys and devices, and a row of an organization that was just deleted must not make a whole batch fail.
 */
const usageKey = () => ({
  hour: timestamptz('hour').notNull(),
  organizationId: text('organization_id').notNull(),
  keyId: text('key_id').notNull(),
  model: text().notNull(),
  deviceId: text('device_id').notNull(),
})

const counted = () => ({
  ...usageKey(),
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
})

/** Rows that are older than USAGE_HOURLY_MONTHS count a whole day (UTC) in its first hour. */
export const usageHour = pgTable('usage_hour', counted(), (table) => [
  primaryKey({
    name: 'usage_hour_key',
    columns: [table.organizationId, table.hour, table.keyId, table.model, table.deviceId],
  }),
])

/**
 * The same, added up for whole days (`hour` is the first one, UTC) and over everything that `by` does not name, whose columns are empty: what
 * most pages ask for, in a few rows.
 */
export const usageDay = pgTable('usage_day', { ...counted(), by: text().$type<UsageGrouping>().notNull() }, (table) => [
  primaryKey({
    name: 'usage_day_key',
    columns: [table.organizationId, table.by, table.hour, table.keyId, table.model, table.deviceId],
  }),
])

export type UsageGrouping = 'key' | 'model' | 'device' | 'key model' | 'key device' | 'model device'

export type BudgetHolder = 'key' | 'member' | 'organization'

/** Prompt and completion tokens of a calendar month (its first moment, UTC), which budgets are compared with. `id` is a key's, a person's or the organization's. */
export const usageMonth = pgTable(
  'usage_month',
  {
    month: timestamptz('month').notNull(),
    organizationId: text('organization_id').notNull(),
    holder: text().$type<BudgetHolder>().notNull(),
    id: text().notNull(),
    tokens: total('tokens'),
  },
  (table) => [
    primaryKey({ name: 'usage_month_key', columns: [table.month, table.organizationId, table.holder, table.id] }),
  ],
)

/** Failed requests by error code. */
export const usageCode = pgTable(
  'usage_code',
  { ...usageKey(), code: text().notNull(), requests: total('requests') },
  (table) => [
    primaryKey({
      name: 'usage_code_key',
      columns: [table.organizationId, table.hour, table.keyId, table.model, table.deviceId, table.code],
    }),
  ],
)

/**
 * The latest requests of each organization. A ring, in which a request replaces the one 100,000 requests before it, so that it never grows
 * and never needs cleaning up. No index of a column that every request changes: that would leave garbage that only a vacuum removes.
 */
export const recentRequest = pgTable(
  'recent_request',
  {
    organizationId: text('organization_id').notNull(),
    /** The remainder of the number divided by the size of the ring. */
    slot: integer().notNull(),
    number: bigint({ mode: 'number' }).notNull(),
    at: timestamptz('at').notNull(),
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
    isSealed: boolean('is_sealed').notNull().default(false),
    /** The device whose reply another one continued, and how long nothing came. Null for most. */
    leftDeviceId: text('left_device_id'),
    gapMs: integer('gap_ms'),
  },
  (table) => [
    primaryKey({ name: 'recent_request_key', columns: [table.organizationId, table.slot] }),
    // Of the few that another device continued. A request without a take-over that replaces another one leaves no garbage in it.
    index('recent_request_taken_over')
      .on(table.organizationId)
      .where(sql`${table.leftDeviceId} is not null`),
  ],
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
