// The rows of members and of the people they are. Every change to members locks the organization's row, so changes happen one after another
// and each sees the roles that the previous one left.

import { randomUUIDv7 } from 'node:crypto'
import { and, eq, ne, sql } from 'drizzle-orm'
import { recordChange, type Change } from '../audit.ts'
import type { Handle } from '../database/database.ts'
import type { RowOf } from '../database/omit-nulls.ts'
import { onlyRow } from '../database/only-row.ts'
import { StoreError } from '../database/store-error.ts'
import { member, person, type Role } from '../tables/people.ts'

export interface MemberChoice {
  organization: string
  person: string
}

export const memberColumns = {
  organization: member.organizationId,
  person: member.personId,
  email: person.email,
  name: person.name,
  role: member.role,
}

export type Member = RowOf<typeof memberColumns>

export async function findMemberRow(transaction: Handle, choice: MemberChoice): Promise<Member | undefined> {
  const [found] = await selectMembers(transaction, choice)
  return found
}

/** A member who was just added. */
export async function readMemberRow(transaction: Handle, choice: MemberChoice): Promise<Member> {
  return onlyRow(await selectMembers(transaction, choice))
}

function selectMembers(transaction: Handle, choice: MemberChoice): Promise<Member[]> {
  return transaction
    .select(memberColumns)
    .from(member)
    .innerJoin(person, eq(person.id, member.personId))
    .where(isMember(choice))
}

export function isMember({ organization, person }: MemberChoice) {
  return and(eq(member.organizationId, organization), eq(member.personId, person))
}

/** A person is identified by their email address and keeps the name they were given first. */
export async function findOrAddPerson(transaction: Handle, { email, name }: { email: string; name: string }) {
  const rows = await transaction
    .insert(person)
    .values({ id: randomUUIDv7(), email: email.toLowerCase(), name })
    .onConflictDoUpdate({ target: person.email, set: { email: sql`excluded.email` } })
    .returning({ person: person.id, email: person.email, name: person.name })
  return onlyRow(rows)
}

/** Of one organization. The page of members shows them all. */
export const MOST_MEMBERS = 10_000

async function checkRoom(transaction: Handle, { organization, person }: MemberChoice): Promise<void> {
  const others = and(eq(member.organizationId, organization), ne(member.personId, person))
  if ((await transaction.$count(member, others)) < MOST_MEMBERS) return
  throw new StoreError('limit', `Cannot add a member: the organization has ${MOST_MEMBERS} already. Remove some first`)
}

/** Someone who is already a member gets the new role. */
export async function insertMember(transaction: Handle, { organization, person, role }: MemberChoice & { role: Role }) {
  await checkRoom(transaction, { organization, person })
  await transaction
    .insert(member)
    .values({ id: randomUUIDv7(), organizationId: organization, personId: person, role })
    .onConflictDoUpdate({ target: [member.organizationId, member.personId], set: { role } })
}

interface MemberNote extends Pick<Change, 'by' | 'action'> {
  member: Member
  before: Role | undefined
  after: Role | undefined
}

export async function recordMemberChange(transaction: Handle, { member, by, action, before, after }: MemberNote) {
  await recordChange(transaction, {
    organization: member.organization,
    by,
    action,
    id: member.person,
    name: member.name,
    ...(before && { before: { role: before } }),
    ...(after && { after: { role: after } }),
    // They depend on the membership.
    also: ['keys'],
  })
}
