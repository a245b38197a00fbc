import { and, asc, count, eq, gt, isNull, or, sql } from 'drizzle-orm'
import { recordChange, type Actor, type By } from '../audit.ts'
import { inTransaction } from '../database/bind-queries.ts'
import type { Database, Handle } from '../database/database.ts'
import { enrolment } from '../tables/devices.ts'
import { apiKey } from '../tables/keys.ts'
import { invitation, member, organization, person, type Role } from '../tables/people.ts'
import {
  findMemberRow,
  findOrAddPerson,
  insertMember,
  isMember,
  memberColumns,
  recordMemberChange,
  type Member,
  type MemberChoice,
} from './member-rows.ts'
import { lockOrganization, organizationColumns, type Organization } from './organization-rows.ts'

export const memberQueries = {
  listMembers,
  membership,
  membershipsOf,
  ...inTransaction({ addMember, changeRole, changeMemberBudget, removeMember }),
}

export interface ListedMember extends Member {
  joinedAt: Date
  /** Keys that stop working when the member leaves. */
  activeKeys: number
  /** Null means no budget. */
  tokensPerMonth: number | null
}

export interface Membership {
  organization: Organization
  role: Role
}

/**
 * `permits` is called inside the transaction, with the roles at that moment: an admin who was just demoted can change nothing, and if two
 * owners remove each other, one stays. Undefined for the operator, who may do everything.
 */
export interface ByMember {
  by?: Actor
  permits?: (roles: { actor: Role | undefined; target: Role }) => boolean
}

export type MemberChange = 'done' | 'unknown' | 'rejected' | 'last-owner'

/** Someone who is already a member gets the new role. */
async function addMember(
  transaction: Handle,
  { organization, email, name, role, by }: Omit<Member, 'person'> & By,
): Promise<Member> {
  await lockOrganization(transaction, organization)
  const known = await findOrAddPerson(transaction, { email, name })
  const before = await findMemberRow(transaction, { organization, person: known.person })
  await insertMember(transaction, { organization, person: known.person, role })
  const added = { organization, ...known, role }
  const action = before ? 'member.change' : 'member.add'
  await recordMemberChange(transaction, { member: added, by, action, before: before?.role, after: role })
  return added
}

function changeRole(
  transaction: Handle,
  { role, ...input }: MemberChoice & { role: Role } & ByMember,
): Promise<MemberChange> {
  return changeMember(transaction, input, role, async (target) => {
    await transaction.update(member).set({ role }).where(isMember(input))
    const change = { before: target.role, after: role }
    await recordMemberChange(transaction, { member: target, by: input.by, action: 'member.change', ...change })
  })
}

/** Null means no budget. */
function changeMemberBudget(
  transaction: Handle,
  { tokensPerMonth, ...input }: MemberChoice & { tokensPerMonth: number | null } & ByMember,
): Promise<MemberChange> {
  return changeMember(transaction, input, 'same', async ({ organization, person: id, name }) => {
    const found = transaction.select({ tokensPerMonth: member.tokensPerMonth }).from(member).where(isMember(input))
    const [before] = await found
    await transaction.update(member).set({ tokensPerMonth }).where(isMember(input))
    const change = { ...(before && { before }), after: { tokensPerMonth }, also: ['keys'] as const }
    await recordChange(transaction, { organization, by: input.by, action: 'member.budget', id, name, ...change })
  })
}

/** Revokes the member's keys permanently. */
function removeMember(transaction: Handle, input: MemberChoice & ByMember): Promise<MemberChange> {
  return changeMember(transaction, input, undefined, async (target) => {
    await transaction.delete(member).where(isMember(input))
    const action = input.by?.id === input.person ? 'member.leave' : 'member.remove'
    await recordMemberChange(transaction, {
      member: target,
      by: input.by,
      action,
      before: target.role,
      after: undefined,
    })
  })
}

function listMembers({ query }: Database, organization: string): Promise<ListedMember[]> {
  const isNotExpired = or(isNull(apiKey.expiresAt), gt(apiKey.expiresAt, sql`now()`))
  const isActive = and(isNull(apiKey.revokedAt), isNull(apiKey.sessionId), isNotExpired)
  const keys = query
    .select({ person: apiKey.createdBy, active: count().as('active') })
    .from(apiKey)
    .where(and(eq(apiKey.organizationId, organization), isActive))
    .groupBy(apiKey.createdBy)
    .as('keys')
  return query
    .select({
      ...memberColumns,
      joinedAt: member.createdAt,
      tokensPerMonth: member.tokensPerMonth,
      activeKeys: sql<number>`coalesce(${keys.active}, 0)`.mapWith(Number),
    })
    .from(member)
    .innerJoin(person, eq(person.id, member.personId))
    .leftJoin(keys, eq(keys.person, member.personId))
    .where(eq(member.organizationId, organization))
    .orderBy(asc(person.email))
}

async function membership({ query }: Database, choice: MemberChoice): Promise<Membership | undefined> {
  const [found] = await selectMemberships(query).where(isMember(choice))
  return found
}

function membershipsOf({ query }: Database, id: string): Promise<Membership[]> {
  return selectMemberships(query).where(eq(member.personId, id)).orderBy(asc(organization.name), asc(organization.id))
}

function selectMemberships(query: Handle) {
  return query
    .select({ organization: organizationColumns, role: member.role })
    .from(member)
    .innerJoin(organization, eq(organization.id, member.organizationId))
}

/** `role` is the member's new role, or undefined if the member is being removed. */
async function changeMember(
  transaction: Handle,
  { organization, person, by, permits }: MemberChoice & ByMember,
  role: Role | 'same' | undefined,
  change: (target: Member) => Promise<void>,
): Promise<MemberChange> {
  await lockOrganization(transaction, organization)
  const target = await findMemberRow(transaction, { organization, person })
  if (!target) return 'unknown'
  if (permits) {
    const actor = by?.id === undefined ? undefined : await findMemberRow(transaction, { organization, person: by.id })
    if (!permits({ actor: actor?.role, target: target.role })) return 'rejected'
    const isOwnerStill = role === 'owner' || role === 'same'
    if (target.role === 'owner' && !isOwnerStill && (await countOwners(transaction, organization)) === 1)
      return 'last-owner'
  }
  await change(target)
  if (role === 'same') return 'done'
  if (role === undefined || RANK[role] < RANK[target.role]) await withdrawOffers(transaction, { organization, person })
  return 'done'
}

const RANK: Record<Role, number> = { owner: 2, admin: 1, member: 0 }

/** Revokes the unused invitations and enrolment tokens of someone who was demoted or removed, so that they keep no back door. */
export async function withdrawOffers(transaction: Handle, { organization, person }: MemberChoice): Promise<void> {
  const isTheirLink = and(eq(invitation.organizationId, organization), eq(invitation.invitedBy, person))
  await transaction.delete(invitation).where(and(isTheirLink, eq(invitation.status, 'pending')))
  const isTheirToken = and(eq(enrolment.organizationId, organization), eq(enrolment.createdBy, person))
  await transaction.delete(enrolment).where(and(isTheirToken, isNull(enrolment.usedAt)))
}

export async function countOwners(transaction: Handle, organization: string): Promise<number> {
  const isOwner = and(eq(member.organizationId, organization), eq(member.role, 'owner'))
  return await transaction.$count(member, isOwner)
}
