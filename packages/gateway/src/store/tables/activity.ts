import { bigserial, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { timestamptz } from './columns.ts'
import { person } from './people.ts'

/** About a person's ways to sign in. */
export const ACCOUNT_EVENTS = [
  'sign-in',
  'wrong-password',
  'wrong-code',
  'change-password',
  'add-second-factor',
  'remove-second-factor',
  'add-passkey',
  'remove-passkey',
  'end-sessions',
  'reset',
] as const
/** Failures that are only counted: they are nobody's, or nobody knows whose. */
export const NOBODYS_EVENTS = ['unknown-account', 'wrong-passkey', 'provider-refused', 'too-many-attempts'] as const

export type AccountEvent = (typeof ACCOUNT_EVENTS)[number]
export type NobodysEvent = (typeof NOBODYS_EVENTS)[number]

export const SIGN_IN_WAYS = ['password', 'code', 'backup-code', 'passkey', 'provider'] as const
export type SignInWay = (typeof SIGN_IN_WAYS)[number]

/** The person's own list; audit logs belong to organizations, and have no browsers. Failures of an hour are one row. */
export const accountActivity = pgTable(
  'account_activity',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    personId: text('person_id')
      .notNull()
      .references(() => person.id, { onDelete: 'cascade' }),
    event: text().$type<AccountEvent>().notNull(),
    /** Of a sign-in. */
    way: text().$type<SignInWay>(),
    /** Null for the operator, and for failures from more than one. */
    address: text(),
    /** A user agent, in the same way. */
    browser: text(),
    at: timestamptz('at').notNull().defaultNow(),
    /** The latest of these. */
    lastAt: timestamptz('last_at').notNull().defaultNow(),
    times: integer().notNull().default(1),
  },
  (table) => [index('account_activity_person').on(table.personId, table.id)],
)
