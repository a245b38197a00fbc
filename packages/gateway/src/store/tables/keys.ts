import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { moment, monthlyTokens } from './columns.ts'
import { ofOrganization, person } from './people.ts'

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
    tokensPerMonth: monthlyTokens(),
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
    index('api_key_budget')
      .on(table.id)
      .where(sql`${table.tokensPerMonth} is not null`),
    index('api_key_playground_expiry')
      .on(table.expiresAt)
      .where(sql`${table.sessionId} is not null`),
  ],
)
