// Tables of the account library: sessions, sign-in methods, second factors. Only the library reads and writes them, except that a new
// person's first sign-in method is written together with the membership. Names follow the library, whose user is our person.

import { bigint, boolean, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { timestamptz } from './columns.ts'
import { ofPerson } from './people.ts'

export const session = pgTable(
  'session',
  {
    id: text().primaryKey(),
    /** A SHA-256 digest of the token in the cookie. */
    token: text().notNull().unique(),
    userId: ofPerson(),
    expiresAt: timestamptz('expires_at').notNull(),
    ipAddress: text('ip_address'),
    userAgent: text('user_agent'),
    activeOrganizationId: text('active_organization_id'),
    ...dates(),
  },
  (table) => [index('session_person').on(table.userId)],
)

export const account = pgTable(
  'account',
  {
    id: text().primaryKey(),
    accountId: text('account_id').notNull(),
    providerId: text('provider_id').notNull(),
    userId: ofPerson(),
    // The provider's tokens are always null; the library expects the columns.
    accessToken: text('access_token'),
    refreshToken: text('refresh_token'),
    idToken: text('id_token'),
    accessTokenExpiresAt: timestamptz('access_token_expires_at'),
    refreshTokenExpiresAt: timestamptz('refresh_token_expires_at'),
    scope: text(),
    /** A scrypt hash. */
    password: text(),
    ...dates(),
  },
  (table) => [index('account_person').on(table.userId)],
)

export const verification = pgTable(
  'verification',
  {
    id: text().primaryKey(),
    identifier: text().notNull(),
    value: text().notNull(),
    expiresAt: timestamptz('expires_at').notNull(),
    ...dates(),
  },
  (table) => [index('verification_identifier').on(table.identifier)],
)

export const twoFactor = pgTable(
  'two_factor',
  {
    id: text().primaryKey(),
    /** Encrypted with a key outside the database, as are the backup codes. */
    secret: text().notNull(),
    backupCodes: text('backup_codes').notNull(),
    userId: ofPerson(),
    verified: boolean().notNull().default(true),
    failedVerificationCount: integer('failed_verification_count').notNull().default(0),
    lockedUntil: timestamptz('locked_until'),
    /** The latest thirty seconds whose code was used: neither that code nor an earlier one works again. */
    lastStep: bigint('last_step', { mode: 'number' }),
  },
  (table) => [index('two_factor_person').on(table.userId)],
)

export const passkey = pgTable(
  'passkey',
  {
    id: text().primaryKey(),
    name: text(),
    publicKey: text('public_key').notNull(),
    userId: ofPerson(),
    credentialID: text('credential_id').notNull().unique(),
    counter: integer().notNull(),
    deviceType: text('device_type').notNull(),
    backedUp: boolean('backed_up').notNull(),
    transports: text(),
    createdAt: timestamptz('created_at').defaultNow(),
    aaguid: text(),
  },
  (table) => [index('passkey_person').on(table.userId)],
)

function dates() {
  return {
    createdAt: timestamptz('created_at').notNull().defaultNow(),
    updatedAt: timestamptz('updated_at').notNull().defaultNow(),
  }
}
