// The data that decides about every request. It is read into memory, and again when its revision changes.

import type { KeyLimits } from './keys.ts'
import type { ModelState } from './models.ts'

export interface AccessStore {
  /** Numbers that increase with every change, in the same transaction. */
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

/** Only keys that work: not revoked, and their creator is still a member. Expiry is checked when a key is used. */
export interface AccessKey {
  id: string
  organization: string
  digest: string
  expiresAt?: Date
  /** The only models it may use; undefined means all of them. */
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
