import type { By } from './audit.ts'

export interface KeyStore {
  /** Fails with `limit` if the quota is used up. A member's revoked and expired keys are forgotten beyond the newest hundred. */
  createKey(input: NewKey & By & { quota?: KeyQuota }): Promise<Key>
  /** With `createdBy`, only if this person created the key. */
  revokeKey(input: { organization: string; key: string; createdBy?: string } & By): Promise<boolean>
  /** Without playground keys. */
  listKeys(organization: string, only?: { createdBy: string }): Promise<Key[]>
  /** Removes playground keys that expired before a moment; returns how many. Their usage is kept. */
  removePlaygroundKeys(sweep: PlaygroundSweep): Promise<number>
  /** Stores the latest use of keys, in batches. */
  touchKeys(uses: readonly { key: string; at: Date }[]): Promise<void>
}

/** How many working keys there may be, not counting playground keys. */
export interface KeyQuota {
  perMember: number
  perOrganization: number
}

export interface PlaygroundSweep {
  expiredBefore: Date
  /** Removes at most this many, those that expired first. */
  limit: number
  /** Only this person's. */
  createdBy?: string
}

/** A missing field means no limit. */
export interface KeyLimits {
  requestsPerMinute?: number
  tokensPerMinute?: number
  jobsAtOnce?: number
}

export interface NewKey {
  organization: string
  /** The person the key belongs to; it stops working when they leave. */
  createdBy: string
  name: string
  digest: string
  /** The last characters of the key, to recognize it in a list. */
  hint: string
  expiresAt?: Date
  /** The only models it may use; undefined means all of them. */
  models?: string[]
  limits?: KeyLimits
  /** Makes it a playground key: never listed, and revoked when this session ends. */
  session?: string
}

export interface Key {
  id: string
  organization: string
  createdBy: string
  createdByName: string
  name: string
  hint: string
  createdAt: Date
  limits: KeyLimits
  models?: string[]
  expiresAt?: Date
  revokedAt?: Date
  lastUsedAt?: Date
}
