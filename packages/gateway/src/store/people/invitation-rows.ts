import { eq, gt, sql, type SQL } from 'drizzle-orm'
import type { Handle } from '../database/database.ts'
import { invitation, person, type Role } from '../tables/people.ts'

export interface Invitation {
  id: string
  organization: string
  role: Role
  createdAt: Date
  expiresAt: Date
  email?: string
  invitedByName?: string
  claims?: string
}

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

/** Not used yet, and not expired. */
export function isOpen(at: Date): SQL {
  return sql`(${eq(invitation.status, 'pending')} and ${gt(invitation.expiresAt, at)})`
}
