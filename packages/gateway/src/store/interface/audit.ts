// The audit log. Every method that changes something takes `by` and writes its entry in the same transaction.

export interface AuditStore {
  /** Newest first; `before` is the id of the last entry on the previous page. */
  listAudit(input: { organization: string; before?: number; limit: number }): Promise<AuditEntry[]>
  /** Records a request that was denied. */
  recordRefusal(input: Omit<AuditEntry, 'id' | 'at' | 'isRefused'> & { organization: string }): Promise<void>
  /** Numbers that increase with every change of that kind, for pages that show it. */
  organizationRevisions(organizations: readonly string[]): Promise<OrganizationRevision[]>
}

export interface Actor {
  kind: 'person' | 'operator' | 'device'
  id?: string
  name: string
  /** The client address that the change came from. */
  address?: string
}

export interface By {
  /** Absent for the operator at the command line. */
  by?: Actor
}

/** Names and settings before or after a change. No content, secrets or digests. */
export type Fields = Record<string, unknown>

export interface AuditEntry {
  id: number
  at: Date
  actor: Actor
  /** Kind of object and verb, e.g. `key.revoke`. */
  action: string
  isRefused: boolean
  object: { kind: string; id: string; name: string }
  before?: Fields
  after?: Fields
}

export const CHANGE_KINDS = ['devices', 'keys', 'members', 'models', 'organization'] as const
export type ChangeKind = (typeof CHANGE_KINDS)[number]

export interface OrganizationRevision {
  organization: string
  kind: ChangeKind
  value: number
}
