import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { monthlyTokens, timestamptz } from './columns.ts'
import { ofOrganization, ofPerson } from './people.ts'

export const apiKey = pgTable(
  'api_key',
  {
    id: text().primaryKey(),
    organizationId: ofOrganization(),
    // Not a reference to member: the row outlives the membership and is listed as revoked.
    createdBy: ofPerson('created_by'),
    name: text().notNull(),
    digest: text().notNull().unique(),
    hint: text().notNull(),
    createdAt: timestamptz('created_at').notNull().defaultNow(),
    expiresAt: timestamptz('expires_at'),
    revokedAt: timestamptz('revoked_at'),
    lastUsedAt: timestamptz('last_used_at'),
    /** The only models it may use; null means all of them. */
    models: text().array(),
    requestsPerMinute: integer('requests_per_minute'),
    tokensPerMinute: integer('tokens_per_minute'),
    jobsAtOnce: integer('jobs_at_once'),
    tokensPerMonth: monthlyTokens(),
    /** A disabled key is rejected until someone enables it again. */
    disabledAt: timestamptz('disabled_at'),
    /** The secret from before the last rotation, which works until `previousEndsAt`. */
    previousDigest: text('previous_digest'),
    previousHint: text('previous_hint'),
    previousEndsAt: timestamptz('previous_ends_at'),
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
