import { randomUUIDv7 } from 'node:crypto'
import { and, desc, eq, gt } from 'drizzle-orm'
import { account } from './account-tables.ts'
import { recordChange } from './audit.ts'
import type { Database, Handle } from './database.ts'
import { findMember, findOrAddPerson, holdOrganization, insertMember, recordMemberChange } from './members.ts'
import { omitNulls } from './omit-nulls.ts'
import { addPassword } from './people.ts'
import type { Acceptance, Invitation, Joining, MemberStore, NewPerson } from './store.ts'
import { invitation, organization, person } from './tables.ts'

type InvitationQueries = Pick<
  MemberStore,
  'createInvitation' | 'listInvitations' | 'findInvitation' | 'revokeInvitation' | 'acceptInvitation'
>

const columns = {
  id: invitation.id,
  organization: invitation.organizationId,
  role: invitation.role,
  createdAt: invitation.createdAt,
  expiresAt: invitation.expiresAt,
  email: invitation.email,
  claims: invitation.claims,
  invitedByName: person.name,
}

export function invitationQueries({ query, transact }: Database): InvitationQueries {
  return {
    createInvitation({ organization, email, by, ...rest }) {
      return transact(async (transaction) => {
        const id = randomUUIDv7()
        const values = { id, organizationId: organization, email: email?.toLowerCase(), ...rest }
        await transaction.insert(invitation).values(values)
        const [created] = await select(transaction).where(eq(invitation.id, id))
        await noteInvitation(transaction, omitNulls(created!), { by, action: 'invitation.create' })
        return omitNulls(created!)
      })
    },

    async listInvitations({ organization, at }) {
      const rows = await select(query)
        .where(and(eq(invitation.organizationId, organization), isOpen(at)))
        .orderBy(desc(invitation.createdAt))
      return rows.map(omitNulls)
    },

    async findInvitation({ digest, at }) {
      const [found] = await query
        .select({ ...columns, organizationName: organization.name })
        .from(invitation)
        .innerJoin(organization, eq(organization.id, invitation.organizationId))
        .leftJoin(person, eq(person.id, invitation.invitedBy))
        .where(and(eq(invitation.digest, digest), isOpen(at)))
      return found && omitNulls(found)
    },

    revokeInvitation({ organization, invitation: id, by }) {
      return transact(async (transaction) => {
        const isMeant = and(
          eq(invitation.organizationId, organization),
          eq(invitation.id, id),
          eq(invitation.status, 'pending'),
        )
        const [found] = await select(transaction).where(isMeant)
        const removed = await transaction.delete(invitation).where(isMeant).returning({ id: invitation.id })
        if (!found || removed.length === 0) return false
        await noteInvitation(transaction, omitNulls(found), { by, action: 'invitation.revoke' })
        return true
      })
    },

    acceptInvitation(input) {
      return transact((transaction) => accept(transaction, input))
    },
  }
}

async function accept(
  transaction: Handle,
  { digest, at, as, address }: Parameters<MemberStore['acceptInvitation']>[0],
): Promise<Acceptance> {
  const isMeant = and(eq(invitation.digest, digest), isOpen(at))
  const [seen] = await transaction.select().from(invitation).where(isMeant)
  if (!seen) return { kind: 'unknown' }
  // Lock the organization first, like every change to members, then read the invitation again: if two people accept at the same moment,
  // the second one waits and then finds it used.
  await holdOrganization(transaction, seen.organizationId)
  const [found] = await transaction.select().from(invitation).where(isMeant)
  if (!found) return { kind: 'unknown' }
  const { organizationId: organization, role } = found
  const joining = await resolve(transaction, as, found)
  if (typeof joining === 'string') return { kind: joining }
  const isMember = (await findMember(transaction, { organization, person: joining.person })) !== undefined
  // Someone whom the operator already made a member only gets a way to sign in, and keeps the role.
  if (isMember && found.claims === null) return { kind: 'member-already' }
  if (!isMember) await insertMember(transaction, { organization, person: joining.person, role })
  await transaction.update(invitation).set({ status: 'accepted' }).where(eq(invitation.id, found.id))
  const member = (await findMember(transaction, { organization, person: joining.person }))!
  const by = { kind: 'person', id: member.person, name: member.name, ...(address && { address }) } as const
  await recordMemberChange(transaction, { member, by, action: 'member.join', before: undefined, after: member.role })
  return { kind: 'joined', organization, person: joining.person }
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

async function canSignIn(transaction: Handle, id: string): Promise<boolean> {
  return (await transaction.select({ id: account.id }).from(account).where(eq(account.userId, id))).length > 0
}

function select(handle: Handle) {
  return handle.select(columns).from(invitation).leftJoin(person, eq(person.id, invitation.invitedBy))
}

function isOpen(at: Date) {
  return and(eq(invitation.status, 'pending'), gt(invitation.expiresAt, at))
}

async function noteInvitation(
  transaction: Handle,
  { id, organization, role, email }: Invitation,
  { by, action }: Pick<Parameters<typeof recordChange>[1], 'by' | 'action'>,
) {
  const fields = { role, ...(email && { email }) }
  await recordChange(transaction, {
    organization,
    by,
    action,
    object: { kind: 'invitation', id, name: email ?? role },
    ...(action === 'invitation.create' ? { after: fields } : { before: fields }),
    kinds: ['members'],
  })
}
