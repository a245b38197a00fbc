import { randomUUIDv7 } from 'node:crypto'
import { and, desc, eq, isNull, not } from 'drizzle-orm'
import { recordChange, type Actor, type By } from '../audit.ts'
import { inTransaction } from '../database/bind-queries.ts'
import type { Database, Handle } from '../database/database.ts'
import { omitNulls } from '../database/omit-nulls.ts'
import { onlyRow } from '../database/only-row.ts'
import { requireRoom } from '../quota.ts'
import { invitation, organization, person, type Role } from '../tables/people.ts'
import { acceptanceQueries } from './accept-invitation.ts'
import { invitationColumns, isOpen, selectInvitations, type Invitation } from './invitation-rows.ts'
import { lockOrganization } from './organization-rows.ts'
import { isKept } from './organization-rows.ts'

export const invitationQueries = {
  listInvitations,
  pageInvitations,
  findInvitation,
  isInvited,
  ...inTransaction({ createInvitation, revokeInvitation }),
  ...acceptanceQueries,
}

export interface NewInvitation {
  organization: string
  role: Role
  digest: string
  expiresAt: Date
  email?: string
  invitedBy?: string
  /** Opening the link gives access to this person's account, which has no way to sign in yet; it replaces every earlier one. For the operator only. */
  claims?: string
  /** How many unused ones the organization may have. */
  most?: number
}

interface OpenInvitations {
  organization: string
  at: Date
}

export interface InvitationPage {
  invitations: Invitation[]
  /** Of all pages. */
  count: number
}

async function createInvitation(
  transaction: Handle,
  { organization, email, by, most, ...rest }: NewInvitation & By,
): Promise<Invitation> {
  await makeRoom(transaction, { organization, at: new Date() }, most)
  // There is one open link to an account at a time.
  if (rest.claims !== undefined) await transaction.delete(invitation).where(eq(invitation.claims, rest.claims))
  const id = randomUUIDv7()
  const values = { id, organizationId: organization, email: email?.toLowerCase(), ...rest }
  await transaction.insert(invitation).values(values)
  const created = omitNulls(onlyRow(await selectInvitations(transaction).where(eq(invitation.id, id))))
  await noteInvitation(transaction, created, { by, action: 'invitation.create' })
  return created
}

/** Also forgets those that were used or have expired, so that no organization ever keeps more than it may have open. */
async function makeRoom(transaction: Handle, open: OpenInvitations, most = Infinity): Promise<void> {
  // Two must not take the last place.
  await lockOrganization(transaction, open.organization)
  const isClosed = and(eq(invitation.organizationId, open.organization), not(isOpen(open.at)))
  await transaction.delete(invitation).where(isClosed)
  const taken = await countOpen(transaction, open)
  requireRoom(taken, most, {
    change: 'create the invitation',
    things: 'unused invitations',
    remedy: 'Revoke some of them',
    setting: 'INVITATIONS_PER_ORGANIZATION',
  })
}

/** Only unused ones that have not expired. */
async function listInvitations({ query }: Database, open: OpenInvitations): Promise<Invitation[]> {
  return (await selectOpen(query, open)).map(omitNulls)
}

/** Some of those that are listed, and how many there are. */
async function pageInvitations(
  { query }: Database,
  { offset, limit, ...open }: OpenInvitations & { offset: number; limit: number },
): Promise<InvitationPage> {
  const rows = await selectOpen(query, open).offset(offset).limit(limit)
  return { invitations: rows.map(omitNulls), count: await countOpen(query, open) }
}

function selectOpen(handle: Handle, { organization, at }: OpenInvitations) {
  return selectInvitations(handle)
    .where(and(eq(invitation.organizationId, organization), isOpen(at)))
    .orderBy(desc(invitation.createdAt), desc(invitation.id))
}

async function countOpen(handle: Handle, { organization, at }: OpenInvitations): Promise<number> {
  return handle.$count(invitation, and(eq(invitation.organizationId, organization), isOpen(at)))
}

async function findInvitation(
  { query }: Database,
  { digest, at }: { digest: string; at: Date },
): Promise<(Invitation & { organizationName: string }) | undefined> {
  const [found] = await query
    .select({ ...invitationColumns, organizationName: organization.name })
    .from(invitation)
    .innerJoin(organization, eq(organization.id, invitation.organizationId))
    .leftJoin(person, eq(person.id, invitation.invitedBy))
    .where(and(eq(invitation.digest, digest), isOpen(at), isKept(invitation.organizationId)))
  return found && omitNulls(found)
}

/** Whether there is an invitation for this email address. */
async function isInvited({ query }: Database, { email, at }: { email: string; at: Date }): Promise<boolean> {
  const open = await query
    .select({ id: invitation.id })
    .from(invitation)
    .where(
      and(
        eq(invitation.email, email.toLowerCase()),
        isNull(invitation.claims),
        isOpen(at),
        isKept(invitation.organizationId),
      ),
    )
    .limit(1)
  return open.length > 0
}

async function revokeInvitation(
  transaction: Handle,
  { organization, invitation: id, by }: { organization: string; invitation: string } & By,
): Promise<boolean> {
  const isMeant = and(
    eq(invitation.organizationId, organization),
    eq(invitation.id, id),
    eq(invitation.status, 'pending'),
  )
  const [found] = await selectInvitations(transaction).where(isMeant)
  const removed = await transaction.delete(invitation).where(isMeant).returning({ id: invitation.id })
  if (!found || removed.length === 0) return false
  await noteInvitation(transaction, omitNulls(found), { by, action: 'invitation.revoke' })
  return true
}

async function noteInvitation(
  transaction: Handle,
  { id, organization, role, email }: Invitation,
  { by, action }: { by: Actor | undefined; action: 'invitation.create' | 'invitation.revoke' },
) {
  const fields = { role, ...(email && { email }) }
  await recordChange(transaction, {
    organization,
    by,
    action,
    id,
    name: email ?? role,
    ...(action === 'invitation.create' ? { after: fields } : { before: fields }),
  })
}
