import { eq, gt, sql, type SQL } from 'drizzle-orm'
import type { Handle } from '../database/database.ts'
import type { FoundBy } from '../database/omit-nulls.ts'
import { invitation, person } from '../tables/people.ts'

export const invitationColumns = {
  id: invitation.id,
  organization: invitation.organizationId,
  role: invitation.role,
  createdAt: invitation.createdAt,
  expiresAt: invitation.expiresAt,
  email: invitation.email,
  claims: invitation.claims,
  invitedByName: person.name,
}

export function selectInvitations(handle: Handle) {
  return handle.select(invitationColumns).from(invitation).leftJoin(person, eq(person.id, invitation.invitedBy))
}

export type Invitation = FoundBy<typeof selectInvitations>

/** Not used yet, and not expired. */
export function isOpen(at: Date): SQL {
  return sql`(${eq(invitation.status, 'pending')} and ${gt(invitation.expiresAt, at)})`
}
