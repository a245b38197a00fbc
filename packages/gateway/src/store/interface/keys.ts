import type { By } from './audit.ts'

export interface KeyStore {
  createKey(input: NewKey & By): Promise<Key>
  /** With `createdBy`, only a key of this person. */
  revokeKey(input: { organization: string; key: string; createdBy?: string } & By): Promise<boolean>
  /** Without those of the playground. */
  listKeys(organization: string, only?: { createdBy: string }): Promise<Key[]>
  /** Last use of keys, in batches. */
  touchKeys(uses: readonly { key: string; at: Date }[]): Promise<void>
}

/** What is absent is not limited. */
export interface KeyLimits {
  requestsPerMinute?: number
  tokensPerMinute?: number
  jobsAtOnce?: number
}

export interface NewKey {
  organization: string
  /** The person whose membership keeps the key alive. */
  createdBy: string
  name: string
  digest: string
  /** Last characters of the key, to recognise it in a list. */
  hint: string
  expiresAt?: Date
  /** The only models it may use. */
  models?: string[]
  limits?: KeyLimits
  /** Of the playground: never listed, and revoked when this session ends. */
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
