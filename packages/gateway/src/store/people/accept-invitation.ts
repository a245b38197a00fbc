import { and, eq, isNotNull } from 'drizzle-orm'
import { inTransaction } from '../database/bind-queries.ts'
import type { Handle } from '../database/database.ts'
import { invitation, person } from '../tables/people.ts'
import { isOpen } from './invitation-rows.ts'
import { findMemberRow, findOrAddPerson, insertMember, readMemberRow, recordMemberChange } from './member-rows.ts'
import { isKept, lockOrganization } from './organization-rows.ts'
import { addPassword, canSignIn, type NewPerson } from './sign-in.ts'

export const acceptanceQueries = inTransaction({ acceptInvitation })

export interface AcceptedInvitation {
  digest: string
  at: Date
  as: Joining
  address?: string
}

type Joining = { person: string } | NewPerson

export type Acceptance =
  | { kind: 'joined'; organization: string; person: string }
  /** Unknown, used, revoked or expired. */
  | { kind: 'unknown' }
  /** The invitation is for another address. */
  | { kind: 'wrong-person' }
  | { kind: 'member-already' }
  /** A person with this address exists and has to sign in to accept. */
  | { kind: 'sign-in-first' }

/** Creates the member, and the person if necessary, and uses up the invitation in one transaction. */
async function acceptInvitation(
  transaction: Handle,
  { digest, at, as, address }: AcceptedInvitation,
): Promise<Acceptance> {
  const isMeant = and(eq(invitation.digest, digest), isOpen(at), isKept(invitation.organizationId))
  const [seen] = await transaction.select().from(invitation).where(isMeant)
  if (!seen) return { kind: 'unknown' }
  // Lock the organization first, like every change to members, then read the invitation again: if two people accept at the same moment,
  // the second one waits and then finds it used.
  await lockOrganization(transaction, seen.organizationId)
  const [found] = await transaction.select().from(invitation).where(isMeant)
  if (!found) return { kind: 'unknown' }
  const { organizationId: organization, role } = found
  const joining = await resolve(transaction, as, found)
  if (typeof joining === 'string') return { kind: joining }
  const membership = { organization, person: joining.person }
  const isMember = (await findMemberRow(transaction, membership)) !== undefined
  // Someone whom the operator already made a member only gets a way to sign in, and keeps the role.
  if (isMember && found.claims === null) return { kind: 'member-already' }
  if (!isMember) await insertMember(transaction, { ...membership, role })
  await transaction.update(invitation).set({ status: 'accepted' }).where(eq(invitation.id, found.id))
  // Once somebody is the owner, no link makes anybody else the owner in place of the account that waited for one.
  if (role === 'owner')
    await transaction
      .delete(invitation)
      .where(and(eq(invitation.organizationId, organization), isNotNull(invitation.claims), isOpen(at)))
  const member = await readMemberRow(transaction, membership)
  const by = { kind: 'person', id: member.person, name: member.name, ...(address && { address }) } as const
  await recordMemberChange(transaction, { member, by, action: 'member.join', before: undefined, after: member.role })
  return { kind: 'joined', ...membership }
}

/** The person who joins, created if necessary, or the reason why nobody can. */
async function resolve(
  transaction: Handle,
  as: Joining,
  { email, claims }: { email: string | null; claims: string | null },
): Promise<{ person: string } | 'wrong-person' | 'sign-in-first' | 'unknown'> {
  const wanted = 'person' in as ? eq(person.id, as.person) : eq(person.email, as.email.toLowerCase())
  const [known] = await transaction.select().from(person).where(wanted)
  const address = known?.email ?? ('email' in as ? as.email.toLowerCase() : undefined)
  if (address === undefined) return 'unknown'
  if (email !== null && email !== address) return 'wrong-person'
  if (claims !== null && email === null && !known && 'email' in as) return await claim(transaction, claims, as)
  if (claims !== null && claims !== known?.id) return 'wrong-person'
  if ('person' in as) return { person: as.person }
  // An address that already has an account is only accepted with a link that the operator created for exactly that person.
  if (known && (claims === null || (await canSignIn(transaction, known.id)))) return 'sign-in-first'
  const { person: id } = await findOrAddPerson(transaction, as)
  await addPassword(transaction, { person: id, passwordHash: as.passwordHash })
  return { person: id }
}

/** For a link to a person without an address: the person who opens it takes over that account and chooses its address. */
async function claim(transaction: Handle, id: string, as: NewPerson): Promise<{ person: string } | 'wrong-person'> {
  if (await canSignIn(transaction, id)) return 'wrong-person'
  const { name, email, passwordHash } = as
  await transaction
    .update(person)
    .set({ name, email: email.toLowerCase(), updatedAt: new Date() })
    .where(eq(person.id, id))
  await addPassword(transaction, { person: id, passwordHash })
  return { person: id }
}
