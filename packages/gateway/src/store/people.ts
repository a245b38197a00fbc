import { randomUUIDv7 } from 'node:crypto'
import { and, eq, gt, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import { account, passkey, session, twoFactor, verification } from './account-tables.ts'
import { recordChange } from './audit.ts'
import type { Database, Handle } from './database.ts'
import { findMember, findOrAddPerson, insertMember, recordMemberChange } from './members.ts'
import { insertOrganization } from './organizations.ts'
import { withReadableErrors } from './readable-errors.ts'
import type { Actor, Fields, PeopleStore } from './store.ts'
import { gatewaySecret, invitation, member, organization, person, setUpLink } from './tables.ts'

/** An arbitrary number. The lock is held while the first person is created, so that there cannot be two. */
const SET_UP_LOCK = 7_245_318_961

export function peopleQueries({ query, transact }: Database): PeopleStore {
  return {
    isSetUp() {
      return canAnyoneSignIn(query)
    },

    async createSetUpLink({ digest, expiresAt }) {
      await query.delete(setUpLink).where(lt(setUpLink.expiresAt, new Date()))
      await query.insert(setUpLink).values({ digest, expiresAt })
    },

    setUp(input) {
      return transact((transaction) => becomeFirst(transaction, input))
    },

    async signInWays(id) {
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
    },

    forgetSignIn({ person: id, by }) {
      return transact(async (transaction) => {
        for (const table of [session, account, twoFactor, passkey])
          await transaction.delete(table).where(eq(table.userId, id))
        await transaction.update(person).set({ twoFactorEnabled: false }).where(eq(person.id, id))
        const [known] = await transaction.select({ name: person.name }).from(person).where(eq(person.id, id))
        await recordEverywhere(transaction, id, { by, action: 'member.reset', name: known?.name ?? '' })
      })
    },

    renamePerson({ person: id, name, by }) {
      return transact(async (transaction) => {
        const [known] = await transaction.select({ name: person.name }).from(person).where(eq(person.id, id))
        await transaction.update(person).set({ name, updatedAt: new Date() }).where(eq(person.id, id))
        const before = known && { name: known.name }
        await recordEverywhere(transaction, id, { by, action: 'member.rename', name, before, after: { name } })
      })
    },

    async isInvited({ email, at }) {
      const open = await query
        .select({ id: invitation.id })
        .from(invitation)
        .where(
          and(
            eq(invitation.email, email.toLowerCase()),
            eq(invitation.status, 'pending'),
            isNull(invitation.claims),
            gt(invitation.expiresAt, at),
          ),
        )
        .limit(1)
      return open.length > 0
    },

    async gatewaySecret({ name, fresh }) {
      await query.insert(gatewaySecret).values({ name, value: fresh }).onConflictDoNothing()
      const [kept] = await query.select().from(gatewaySecret).where(eq(gatewaySecret.name, name))
      return kept!.value
    },

    async accountTables() {
      // Loaded on demand: the command line does not need it.
      const { drizzleAdapter } = await import('better-auth/adapters/drizzle')
      const schema = { person, session, account, verification, twoFactor, passkey, organization, member, invitation }
      const tables = drizzleAdapter(query, { provider: 'pg', schema })
      return (options) => withReadableErrors(tables(options))
    },
  }
}

interface PersonChange {
  by: Actor | undefined
  action: string
  name: string
  before?: Fields | undefined
  after?: Fields
}

/** Records the change in every organization the person is a member of, always in the same order. */
async function recordEverywhere(
  transaction: Handle,
  id: string,
  { name, before, ...change }: PersonChange,
): Promise<void> {
  const places = await transaction.select().from(member).where(eq(member.personId, id)).orderBy(member.organizationId)
  for (const { organizationId: organization } of places)
    await recordChange(transaction, {
      organization,
      object: { kind: 'member', id, name },
      kinds: ['members'],
      ...(before && { before }),
      ...change,
    })
}

async function becomeFirst(
  transaction: Handle,
  { digest, at, person: newPerson, organization: name, address }: Parameters<PeopleStore['setUp']>[0],
) {
  await transaction.execute(sql`select pg_advisory_xact_lock(${SET_UP_LOCK})`)
  const isOpen = and(eq(setUpLink.digest, digest), gt(setUpLink.expiresAt, at))
  const [link] = await transaction.select().from(setUpLink).where(isOpen)
  if (!link || (await canAnyoneSignIn(transaction))) return undefined
  await transaction.delete(setUpLink)
  const { person: id } = await findOrAddPerson(transaction, newPerson)
  await addPassword(transaction, { person: id, passwordHash: newPerson.passwordHash })
  const { id: created } = await insertOrganization(transaction, name)
  await insertMember(transaction, { organization: created, person: id, role: 'owner' })
  const member = (await findMember(transaction, { organization: created, person: id }))!
  const by: Actor = { kind: 'person', id, name: member.name, ...(address && { address }) }
  await recordMemberChange(transaction, { member, by, action: 'member.set-up', before: undefined, after: 'owner' })
  return { person: id, organization: created }
}

/** Stores a password the way the account library does. */
export async function addPassword(transaction: Handle, input: { person: string; passwordHash: string }) {
  await transaction.insert(account).values({
    id: randomUUIDv7(),
    accountId: input.person,
    providerId: 'credential',
    userId: input.person,
    password: input.passwordHash,
  })
}

async function canAnyoneSignIn(handle: Handle): Promise<boolean> {
  return (await handle.select({ id: account.id }).from(account).limit(1)).length > 0
}
