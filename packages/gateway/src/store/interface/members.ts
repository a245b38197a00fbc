import type { Actor, By } from './audit.ts'
import type { Organization } from './organizations.ts'

export interface MemberStore {
  /** Someone who is already a member gets the new role. */
  addMember(input: { organization: string; email: string; name: string; role: Role } & By): Promise<Member>
  changeRole(input: { organization: string; person: string; role: Role } & ByMember): Promise<MemberChange>
  /** Revokes the member's keys permanently. */
  removeMember(input: { organization: string; person: string } & ByMember): Promise<MemberChange>
  listMembers(organization: string): Promise<ListedMember[]>
  membership(input: { organization: string; person: string }): Promise<Membership | undefined>
  membershipsOf(person: string): Promise<Membership[]>

  createInvitation(input: NewInvitation & By): Promise<Invitation>
  /** Only unused ones that have not expired. */
  listInvitations(input: { organization: string; at: Date }): Promise<Invitation[]>
  findInvitation(input: { digest: string; at: Date }): Promise<(Invitation & { organizationName: string }) | undefined>
  revokeInvitation(input: { organization: string; invitation: string } & By): Promise<boolean>
  /** Creates the member, and the person if necessary, and uses up the invitation in one transaction. */
  acceptInvitation(input: { digest: string; at: Date; as: Joining; address?: string }): Promise<Acceptance>
}

export type Role = 'owner' | 'admin' | 'member'

export interface Member {
  organization: string
  person: string
  email: string
  name: string
  role: Role
}

export interface ListedMember extends Member {
  joinedAt: Date
  /** Keys that stop working when the member leaves. */
  activeKeys: number
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

export type MemberChange = 'done' | 'unknown' | 'refused' | 'last-owner'

export interface NewInvitation {
  organization: string
  role: Role
  digest: string
  expiresAt: Date
  email?: string
  invitedBy?: string
  /** Opening the link gives access to this person's account, which has no way to sign in yet. For the operator only. */
  claims?: string
}

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

export interface NewPerson {
  name: string
  email: string
  passwordHash: string
}

export type Joining = { person: string } | NewPerson

export type Acceptance =
  | { kind: 'joined'; organization: string; person: string }
  /** Unknown, used, revoked or expired. */
  | { kind: 'unknown' }
  /** The invitation is for another address. */
  | { kind: 'wrong-person' }
  | { kind: 'member-already' }
  /** A person with this address exists and has to sign in to accept. */
  | { kind: 'sign-in-first' }
