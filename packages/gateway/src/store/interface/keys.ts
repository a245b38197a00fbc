import type { By } from './audit.ts'

export interface KeyStore {
  /** Fails with `limit` if the quota is used up. A member's revoked and expired keys are forgotten beyond the newest hundred. */
  createKey(input: NewKey & By & { quota?: KeyQuota }): Promise<Key>
  revokeKey(input: KeyChoice & By): Promise<boolean>
  /** Undefined if the key does not exist or was revoked. Fails with `limit` if an expired key would work again beyond the quota. */
  changeKey(input: KeyChoice & By & { change: KeyChange; quota?: KeyQuota }): Promise<Key | undefined>
  /** Gives the key a new secret. The one before works until `previousEndsAt`, or not any more; any earlier one stops at once. */
  rotateKey(input: KeyChoice & By & NewSecret): Promise<Key | undefined>
  /** Ends the secret from before the last rotation. False if there is none that works. */
  endPreviousSecret(input: KeyChoice & By): Promise<boolean>
  findKey(choice: KeyChoice): Promise<Key | undefined>
  /** Without playground keys. */
  listKeys(organization: string, only?: { createdBy: string }): Promise<Key[]>
  /** Some of the keys that match, and how many there are of each state. */
  pageKeys(question: KeyQuestion): Promise<KeyPage>
  /** Removes playground keys that expired before a moment; returns how many. Their usage is kept. */
  removePlaygroundKeys(sweep: PlaygroundSweep): Promise<number>
  /** Stores the latest use of keys, in batches. */
  touchKeys(uses: readonly { key: string; at: Date }[]): Promise<void>
}

/** A key of an organization, without playground keys. With `createdBy`, only if this person created it. */
export interface KeyChoice {
  organization: string
  key: string
  createdBy?: string
}

/** What is undefined stays as it is. */
export interface KeyChange {
  name?: string
  /** Null means never. */
  expiresAt?: Date | null
  /** Null means all models. */
  models?: string[] | null
  /** Replaces all limits. */
  limits?: KeyLimits
  isDisabled?: boolean
}

export interface NewSecret {
  digest: string
  hint: string
  previousEndsAt?: Date
}

export type KeyState = 'active' | 'disabled' | 'expired' | 'revoked'

/** `ended` keys are expired or revoked. */
export type ListedState = 'active' | 'disabled' | 'ended'

export interface KeyQuestion {
  organization: string
  /** Only keys that this person created. */
  createdBy?: string
  state?: ListedState
  /** Keys whose name, hint or creator contains this. */
  search?: string
  sort: 'name' | 'creator' | 'created' | 'used' | 'expires'
  isDescending: boolean
  offset: number
  limit: number
}

export interface KeyPage {
  keys: Key[]
  /** Keys that match the search, by state. */
  counts: Record<ListedState, number>
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
  disabledAt?: Date
  lastUsedAt?: Date
  /** The secret from before the last rotation. */
  previous?: { hint: string; endsAt: Date }
}
