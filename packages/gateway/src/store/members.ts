// Members of an organization. Every change to members locks the organization's row, so changes happen one after another and each sees the
// roles that the previous one left.

import { randomUUIDv7 } from 'node:crypto'
import { and, asc, count, eq, gt, isNull, or, sql } from 'drizzle-orm'
import { recordChange } from './audit.ts'
import type { Database, Handle } from './database.ts'
import type { Actor, ByMember, Member, MemberChange, MemberStore, Role } from './store.ts'
import { apiKey, enrolment, invitation, member, organization, person } from './tables.ts'

type MemberQueries = Pick<
  MemberStore,
  'addMember' | 'changeRole' | 'removeMember' | 'listMembers' | 'membership' | 'membershipsOf'
>

const memberships = {
  organization: {
    id: organization.id,
    name: organization.name,
    createdAt: organization.createdAt,
    separatesPrefixes: organization.separatesPrefixes,
  },
  role: member.role,
}

const columns = {
  organization: member.organizationId,
  person: member.personId,
  email: person.email,
  name: person.name,
  role: member.role,
}

export function memberQueries({ query, transact }: Database): MemberQueries {
  return {
    addMember({ organization, email, name, role, by }) {
      return transact(async (transaction) => {
        await holdOrganization(transaction, organization)
        const known = await findOrAddPerson(transaction, { email, name })
        const before = await findMember(transaction, { organization, person: known.person })
        await insertMember(transaction, { organization, person: known.person, role })
        const added = { organization, ...known, role }
        const action = before ? 'member.change' : 'member.add'
        await recordMemberChange(transaction, { member: added, by, action, before: before?.role, after: role })
        return added
      })
    },

    changeRole({ role, ...input }) {
      return transact((transaction) =>
        changeMember(transaction, input, role, async (target) => {
          await transaction.update(member).set({ role }).where(isMember(input))
          const before = target.role
          await recordMemberChange(transaction, {
            member: target,
            by: input.by,
            action: 'member.change',
            before,
            after: role,
          })
        }),
      )
    },

    removeMember(input) {
      return transact((transaction) =>
        changeMember(transaction, input, undefined, async (target) => {
          await transaction.delete(member).where(isMember(input))
          const action = input.by?.id === input.person ? 'member.leave' : 'member.remove'
          await recordMemberChange(transaction, {
            member: target,
            by: input.by,
            action,
            before: target.role,
            after: undefined,
          })
        }),
      )
    },

    listMembers(organization) {
      const isActive = and(isNull(apiKey.revokedAt), isNull(apiKey.sessionId), isNotExpired())
      const keys = query
        .select({ person: apiKey.createdBy, active: count().as('active') })
        .from(apiKey)
        .where(and(eq(apiKey.organizationId, organization), isActive))
        .groupBy(apiKey.createdBy)
        .as('keys')
      return query
        .select({
          ...columns,
          joinedAt: member.createdAt,
          activeKeys: sql<number>`coalesce(${keys.active}, 0)`.mapWith(Number),
        })
        .from(member)
        .innerJoin(person, eq(person.id, member.personId))
        .leftJoin(keys, eq(keys.person, member.personId))
        .where(eq(member.organizationId, organization))
        .orderBy(asc(person.email))
    },

    async membership(input) {
      const [found] = await query
        .select(memberships)
        .from(member)
        .innerJoin(organization, eq(organization.id, member.organizationId))
        .where(isMember(input))
      return found
    },

    membershipsOf(id) {
      return query
        .select(memberships)
        .from(member)
        .innerJoin(organization, eq(organization.id, member.organizationId))
        .where(eq(member.personId, id))
        .orderBy(asc(organization.name), asc(organization.id))
    },
  }
}

interface Place {
  organization: string
  person: string
}

/** `role` is the member's new role, or undefined if the member is being removed. */
async function changeMember(
  transaction: Handle,
  { organization, person, by, permits }: Place & ByMember,
  role: Role | undefined,
  change: (target: Member) => Promise<void>,
): Promise<MemberChange> {
  await holdOrganization(transaction, organization)
  const target = await findMember(transaction, { organization, person })
  if (!target) return 'unknown'
  if (permits) {
    const actor = by?.id === undefined ? undefined : await findMember(transaction, { organization, person: by.id })
    if (!permits({ actor: actor?.role, target: target.role })) return 'refused'
    if (target.role === 'owner' && role !== 'owner' && (await countOwners(transaction, organization)) === 1)
      return 'last-owner'
  }
  await change(target)
  if (role === undefined || RANK[role] < RANK[target.role]) await withdrawOffers(transaction, { organization, person })
  return 'done'
}

const RANK: Record<Role, number> = { owner: 2, admin: 1, member: 0 }

/** Revokes the unused invitations and enrolment tokens of someone who was demoted or removed, so that they keep no back door. */
async function withdrawOffers(transaction: Handle, { organization, person }: Place): Promise<void> {
  const isTheirLink = and(eq(invitation.organizationId, organization), eq(invitation.invitedBy, person))
  await transaction.delete(invitation).where(and(isTheirLink, eq(invitation.status, 'pending')))
  const isTheirToken = and(eq(enrolment.organizationId, organization), eq(enrolment.createdBy, person))
  await transaction.delete(enrolment).where(and(isTheirToken, isNull(enrolment.usedAt)))
}

export async function holdOrganization(transaction: Handle, id: string): Promise<void> {
  await transaction
    .select({ id: organization.id })
    .from(organization)
    .where(eq(organization.id, id))
    .for('no key update')
}

async function countOwners(transaction: Handle, organization: string): Promise<number> {
  const [owners] = await transaction
    .select({ count: count() })
    .from(member)
    .where(and(eq(member.organizationId, organization), eq(member.role, 'owner')))
  return owners?.count ?? 0
}

export async function findMember(transaction: Handle, place: Place): Promise<Member | undefined> {
  const [found] = await transaction
    .select(columns)
    .from(member)
    .innerJoin(person, eq(person.id, member.personId))
    .where(isMember(place))
  return found
}

/** A person is identified by their email address and keeps the name they were given first. */
export async function findOrAddPerson(transaction: Handle, { email, name }: { email: string; name: string }) {
  const [known] = await transaction
    .insert(person)
    .values({ id: randomUUIDv7(), email: email.toLowerCase(), name })
    .onConflictDoUpdate({ target: person.email, set: { email: sql`excluded.email` } })
    .returning({ person: person.id, email: person.email, name: person.name })
  return known!
}

/** Someone who is already a member gets the new role. */
export async function insertMember(transaction: Handle, { organization, person, role }: Place & { role: Role }) {
  await transaction
    .insert(member)
    .values({ id: randomUUIDv7(), organizationId: organization, personId: person, role })
    .onConflictDoUpdate({ target: [member.organizationId, member.personId], set: { role } })
}

interface MemberNote {
  member: Member
  by: Actor | undefined
  action: string
  before: Role | undefined
  after: Role | undefined
}

export async function recordMemberChange(transaction: Handle, { member, by, action, before, after }: MemberNote) {
  await recordChange(transaction, {
    organization: member.organization,
    by,
    action,
    object: { kind: 'member', id: member.person, name: member.name },
    ...(before && { before: { role: before } }),
    ...(after && { after: { role: after } }),
    // Keys depend on the membership.
    kinds: ['members', 'keys'],
  })
}

function isMember({ organization, person }: Place) {
  return and(eq(member.organizationId, organization), eq(member.personId, person))
}

function isNotExpired() {
  return or(isNull(apiKey.expiresAt), gt(apiKey.expiresAt, sql`now()`))
}
