// Deleting an account. The row of the person stays without a name or an address, because keys and their usage belong to it.

import { asc, and, eq, isNotNull, isNull } from 'drizzle-orm'
import { inTransaction } from '../database/bind-queries.ts'
import type { Database, Handle } from '../database/database.ts'
import { account, passkey, session, twoFactor } from '../tables/accounts.ts'
import { accountActivity } from '../tables/activity.ts'
import { DELETED_ACCOUNT, invitation, member, organization, person, type Role } from '../tables/people.ts'
import { recordMemberChange } from './member-rows.ts'
import { lockOrganization } from './organization-rows.ts'
import { countOwners, withdrawOffers } from './members.ts'

export const personDeletionQueries = { findPerson, passwordHash, ...inTransaction({ deletePerson }) }

export type PersonDeletion =
  | { kind: 'done' }
  | { kind: 'unknown' }
  /** Nobody else could manage these organizations. */
  | { kind: 'only-owner'; organizations: string[] }

interface Joined {
  organization: string
  name: string
  deletesAt: Date | null
  role: Role
}

/** Ends every membership as if the person had left, and every way to sign in. `isOwnWish` is false for the operator. */
async function deletePerson(
  transaction: Handle,
  { person: id, isOwnWish }: { person: string; isOwnWish: boolean },
): Promise<PersonDeletion> {
  // Organizations before people, like every change to members; those joined since are found below, under the lock on the person.
  for (const membership of await listMemberships(transaction, id))
    await lockOrganization(transaction, membership.organization)
  const isThere = and(eq(person.id, id), isNull(person.deletedAt))
  const [known] = await transaction.select({ id: person.id }).from(person).where(isThere).for('update')
  if (!known) return { kind: 'unknown' }
  const memberships = await listMemberships(transaction, id)
  const orphans = await listOrphans(transaction, memberships)
  if (orphans.length > 0) return { kind: 'only-owner', organizations: orphans }
  for (const membership of memberships) await leave(transaction, { ...membership, person: id }, isOwnWish)
  for (const table of [session, account, twoFactor, passkey])
    await transaction.delete(table).where(eq(table.userId, id))
  await transaction.delete(accountActivity).where(eq(accountActivity.personId, id))
  await transaction.delete(invitation).where(eq(invitation.claims, id))
  const nobody = { name: DELETED_ACCOUNT, email: `${id}@deleted.invalid`, image: null, twoFactorEnabled: false }
  await transaction
    .update(person)
    .set({ ...nobody, deletedAt: new Date() })
    .where(eq(person.id, id))
  return { kind: 'done' }
}

function listMemberships(transaction: Handle, id: string): Promise<Joined[]> {
  const { name, deletesAt } = organization
  return transaction
    .select({ organization: organization.id, name, deletesAt, role: member.role })
    .from(member)
    .innerJoin(organization, eq(organization.id, member.organizationId))
    .where(eq(member.personId, id))
    .orderBy(asc(organization.id))
}

async function listOrphans(transaction: Handle, memberships: readonly Joined[]): Promise<string[]> {
  const orphans: string[] = []
  for (const { organization: id, name, deletesAt, role } of memberships)
    if (role === 'owner' && deletesAt === null && (await countOwners(transaction, id)) === 1) orphans.push(name)
  return orphans
}

async function leave(
  transaction: Handle,
  { organization: id, person: who, role }: Joined & { person: string },
  isOwnWish: boolean,
): Promise<void> {
  await transaction.delete(member).where(and(eq(member.organizationId, id), eq(member.personId, who)))
  await withdrawOffers(transaction, { organization: id, person: who })
  await recordMemberChange(transaction, {
    member: { organization: id, person: who, email: '', name: DELETED_ACCOUNT, role },
    by: isOwnWish ? { kind: 'person', id: who, name: DELETED_ACCOUNT } : undefined,
    action: 'member.delete-account',
    before: role,
    after: undefined,
  })
}

async function findPerson({ query }: Database, email: string): Promise<string | undefined> {
  const [found] = await query.select({ id: person.id }).from(person).where(eq(person.email, email.toLowerCase()))
  return found?.id
}

/** Undefined for people who sign in without a password. */
async function passwordHash({ query }: Database, id: string): Promise<string | undefined> {
  const isTheirs = and(eq(account.userId, id), isNotNull(account.password))
  const [found] = await query.select({ password: account.password }).from(account).where(isTheirs)
  return found?.password ?? undefined
}
