// People, their organizations, and how they come into one. These columns have the account library's names, so that it can use the tables.

import { sql } from 'drizzle-orm'
import { boolean, check, index, pgTable, text, unique } from 'drizzle-orm/pg-core'
import { monthlyTokens, timestamptz } from './columns.ts'

export type Role = 'owner' | 'admin' | 'member'

/** Whether requests may be sealed, so that the gateway cannot read them. With `required`, plain requests are rejected. */
export type SealingMode = 'off' | 'optional' | 'required'

/** The name of everyone who deleted their account. */
export const DELETED_ACCOUNT = 'Deleted account'

export const person = pgTable('person', {
  id: text().primaryKey(),
  name: text().notNull(),
  /** Lower case. */
  email: text().notNull().unique(),
  emailVerified: boolean('email_verified').notNull().default(false),
  image: text(),
  twoFactorEnabled: boolean('two_factor_enabled').notNull().default(false),
  createdAt: timestamptz('created_at').notNull().defaultNow(),
  updatedAt: timestamptz('updated_at').notNull().defaultNow(),
  /** The account was deleted. The row stays for what the person created, without anything that says who it was. */
  deletedAt: timestamptz('deleted_at'),
})

export const organization = pgTable(
  'organization',
  {
    id: text().primaryKey(),
    name: text().notNull(),
    slug: text().notNull().unique(),
    logo: text(),
    metadata: text(),
    createdAt: timestamptz('created_at').notNull().defaultNow(),
    /** Devices reuse no prompts across API keys. */
    separatesPrefixes: boolean('separates_prefixes').notNull().default(false),
    sealing: text().$type<SealingMode>().notNull().default('off'),
    /** The public half of the key that signs its lists. Null before an administrator made one. */
    seal: text(),
    tokensPerMonth: monthlyTokens(),
    /** An owner deleted it: until then it is kept, without access, and can be restored. */
    deletesAt: timestamptz('deletes_at'),
  },
  (table) => [check('organization_sealing', sql`${table.sealing} in ('off', 'optional', 'required')`)],
)

export const member = pgTable(
  'member',
  {
    id: text().primaryKey(),
    organizationId: ofOrganization(),
    personId: ofPerson(),
    role: text().$type<Role>().notNull(),
    tokensPerMonth: monthlyTokens(),
    createdAt: timestamptz('created_at').notNull().defaultNow(),
  },
  (table) => [
    unique('member_organization_person').on(table.organizationId, table.personId),
    index('member_person').on(table.personId),
    index('member_budget')
      .on(table.personId)
      .where(sql`${table.tokensPerMonth} is not null`),
    check('member_role', sql`${table.role} in ('owner', 'admin', 'member')`),
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
    createdAt: timestamptz('created_at').notNull().defaultNow(),
    expiresAt: timestamptz('expires_at').notNull(),
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
  expiresAt: timestamptz('expires_at').notNull(),
})

/** What is deleted with the person. */
export function ofPerson(name = 'person_id') {
  return text(name)
    .notNull()
    .references(() => person.id, { onDelete: 'cascade' })
}

/** The creator, as long as that person exists. */
export function byPerson(name: string) {
  return text(name).references(() => person.id, { onDelete: 'set null' })
}

export function ofOrganization() {
  return text('organization_id')
    .notNull()
    .references(() => organization.id, { onDelete: 'cascade' })
}
