// What is read into memory and decides about every request. Read again when its revision moves.

import type { KeyLimits } from './keys.ts'
import type { ModelState } from './models.ts'

export interface AccessStore {
  /** Numbers that move, in the same transaction, with every change of what they name. */
  revisions(): Promise<Revisions>
  accessKeys(): Promise<AccessKey[]>
  accessModels(): Promise<AccessModel[]>
  accessDevices(): Promise<AccessDevice[]>
}

export interface Revisions {
  keys: number
  models: number
  devices: number
}

/** Only keys that may be used: not revoked, and their creator still a member. Expiry is checked at use. */
export interface AccessKey {
  id: string
  organization: string
  digest: string
  expiresAt?: Date
  /** The only models it may use. */
  models?: string[]
  limits?: KeyLimits
}

export interface AccessModel {
  organization: string
  name: string
  state: ModelState
  ownedBy: string
  createdAt: Date
}

export interface AccessDevice {
  id: string
  organization: string
  name: string
  credentialDigest: string
  isPaused: boolean
}
