// People and how they sign in. Sessions and passwords belong to the account library, which uses the same database.

import { randomUUIDv7 } from 'node:crypto'
import { and, eq, gt, isNotNull, lt, sql } from 'drizzle-orm'
import { recordChange, type Actor, type By, type Change } from '../audit.ts'
import { inTransaction } from '../database/bind-queries.ts'
import type { Database, Handle } from '../database/database.ts'
import { account, passkey, session, twoFactor } from '../tables/accounts.ts'
import type { Fields } from '../tables/audit.ts'
import { member, person, setUpLink } from '../tables/people.ts'
import { addActivity } from './activity.ts'
import { findOrAddPerson, insertMember, readMemberRow, recordMemberChange } from './member-rows.ts'
import { insertOrganization } from './organizations.ts'

export const signInQueries = {
  isSetUp,
  createSetUpLink,
  signInWays,
  ...inTransaction({ setUp, forgetSignIn, renamePerson }),
}

export interface NewPerson {
  name: string
  email: string
  passwordHash: string
}

export interface SetUp {
  digest: string
  at: Date
  person: NewPerson
  organization: string
  address?: string
}

/** An arbitrary number. The lock is held while the first person is created, so that there cannot be two. */
const SET_UP_LOCK = 7_245_318_961

/** True once someone can sign in. */
function isSetUp({ query }: Database): Promise<boolean> {
  return canAnyoneSignIn(query)
}

async function createSetUpLink(
  { query }: Database,
  { digest, expiresAt }: { digest: string; expiresAt: Date },
): Promise<void> {
  await query.delete(setUpLink).where(lt(setUpLink.expiresAt, new Date()))
  await query.insert(setUpLink).values({ digest, expiresAt })
}

/** Creates the first person, their organization and their membership, once; undefined for a wrong or expired link. */
async function setUp(
  transaction: Handle,
  { digest, at, person: newPerson, organization: name, address }: SetUp,
): Promise<{ person: string; organization: string } | undefined> {
  await transaction.execute(sql`select pg_advisory_xact_lock(${SET_UP_LOCK})`)
  const isOpen = and(eq(setUpLink.digest, digest), gt(setUpLink.expiresAt, at))
  const [link] = await transaction.select().from(setUpLink).where(isOpen)
  if (!link || (await canAnyoneSignIn(transaction))) return undefined
  await transaction.delete(setUpLink)
  const { person: id } = await findOrAddPerson(transaction, newPerson)
  await addPassword(transaction, { person: id, passwordHash: newPerson.passwordHash })
  const { id: organization } = await insertOrganization(transaction, name)
  await insertMember(transaction, { organization, person: id, role: 'owner' })
  const member = await readMemberRow(transaction, { organization, person: id })
  const by: Actor = { kind: 'person', id, name: member.name, ...(address && { address }) }
  await recordMemberChange(transaction, { member, by, action: 'member.set-up', before: undefined, after: 'owner' })
  return { person: id, organization }
}

async function signInWays(
  { query }: Database,
  id: string,
): Promise<{ hasPassword: boolean; hasSecondFactor: boolean }> {
  const [ways] = await query
    .select({
      hasPassword: sql<boolean>`bool_or(${isNotNull(account.password)})`,
      hasSecondFactor: person.twoFactorEnabled,
    })
    .from(person)
    .leftJoin(account, eq(account.userId, person.id))
    .where(eq(person.id, id))
    .groupBy(person.id)
  return { hasPassword: ways?.hasPassword ?? false, hasSecondFactor: ways?.hasSecondFactor ?? false }
}

/** Deletes every sign-in method and session of the person, who then needs a new link. */
async function forgetSignIn(transaction: Handle, { person: id, by }: { person: string } & By): Promise<void> {
  for (const table of [session, account, twoFactor, passkey])
    await transaction.delete(table).where(eq(table.userId, id))
  await transaction.update(person).set({ twoFactorEnabled: false }).where(eq(person.id, id))
  const [known] = await transaction.select({ name: person.name }).from(person).where(eq(person.id, id))
  await addActivity(transaction, { person: id, event: 'reset' })
  await recordEverywhere(transaction, id, { by, action: 'member.reset', name: known?.name ?? '' })
}

async function renamePerson(
  transaction: Handle,
  { person: id, name, by }: { person: string; name: string } & By,
): Promise<void> {
  const [known] = await transaction.select({ name: person.name }).from(person).where(eq(person.id, id))
  await transaction.update(person).set({ name, updatedAt: new Date() }).where(eq(person.id, id))
  const before = known && { name: known.name }
  await recordEverywhere(transaction, id, { by, action: 'member.rename', name, before, after: { name } })
}

interface PersonChange extends Pick<Change, 'by' | 'action' | 'name' | 'after'> {
  before?: Fields | undefined
}

/** Records the change in every organization the person is a member of, always in the same order. */
export async function recordEverywhere(
  transaction: Handle,
  id: string,
  { before, ...change }: PersonChange,
): Promise<void> {
  const memberships = await transaction
    .select()
    .from(member)
    .where(eq(member.personId, id))
    .orderBy(member.organizationId)
  for (const { organizationId: organization } of memberships)
    await recordChange(transaction, { organization, id, ...(before && { before }), ...change })
}

/** Stores a password the way the account library does. */
export async function addPassword(transaction: Handle, input: { person: string; passwordHash: string }): Promise<void> {
  await transaction.insert(account).values({
    id: randomUUIDv7(),
    accountId: input.person,
    providerId: 'credential',
    userId: input.person,
    password: input.passwordHash,
  })
}

export async function canSignIn(transaction: Handle, id: string): Promise<boolean> {
  return (await transaction.select({ id: account.id }).from(account).where(eq(account.userId, id))).length > 0
}

async function canAnyoneSignIn(handle: Handle): Promise<boolean> {
  return (await handle.select({ id: account.id }).from(account).limit(1)).length > 0
}
