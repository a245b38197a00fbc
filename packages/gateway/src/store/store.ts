// What is remembered, in the words of the product. Nothing here knows SQL; nothing behind it knows content: no prompt and no completion
// ever reaches the store. The access tables (keys, models, devices) are read once into memory and read again when their revision moves,
// so no request waits for the store.

export interface Store {
  /** Numbers that move, in the same transaction, with every change of what they name. */
  revisions(): Promise<Revisions>
  accessKeys(): Promise<AccessKey[]>
  accessModels(): Promise<AccessModel[]>
  accessDevices(): Promise<AccessDevice[]>

  /** Without an owner nobody is a member yet, so no key can be made. */
  createOrganization(input: { name: string; owner?: { email: string; name: string } }): Promise<Organization>
  listOrganizations(): Promise<Organization[]>
  /** Whoever is a member already gets the new role. */
  addMember(input: { organization: string; email: string; name: string; role: Role }): Promise<Member>
  /** Revokes the member's keys for good. */
  removeMember(input: { organization: string; person: string }): Promise<boolean>
  listMembers(organization: string): Promise<Member[]>

  createKey(input: NewKey): Promise<Key>
  revokeKey(input: { organization: string; key: string }): Promise<boolean>
  listKeys(organization: string): Promise<Key[]>

  /** Also brings a disabled or removed model back. */
  enableModel(input: { organization: string; name: string; ownedBy?: string }): Promise<Model>
  /** False for a model that was never enabled or is removed. */
  disableModel(input: { organization: string; name: string }): Promise<boolean>
  removeModel(input: { organization: string; name: string }): Promise<boolean>
  /** Removed models are left out. */
  listModels(organization: string): Promise<Model[]>

  /** The token is single-use; only its digest is kept. */
  createEnrolment(input: { organization: string; digest: string; expiresAt: Date }): Promise<void>
  /** Makes the device and burns the token in one transaction; undefined when the token is unknown, used or expired. */
  redeemEnrolment(input: {
    digest: string
    name: string
    credentialDigest: string
    at: Date
  }): Promise<Device | undefined>
  removeDevice(input: { organization: string; device: string }): Promise<boolean>
  listDevices(organization: string): Promise<Device[]>
  /** Written when a device comes and goes, never per request. */
  deviceSeen(input: { device: string; app: string; at: Date }): Promise<void>

  /** Adds to the counters; one statement for the whole batch. */
  addUsage(rows: readonly UsageRow[]): Promise<void>
  listUsage(input: { organization: string; from: Date; to: Date }): Promise<UsageRow[]>
  /** Last use of keys, in batches. */
  touchKeys(uses: readonly { key: string; at: Date }[]): Promise<void>

  close(): Promise<void>
}

export interface Revisions {
  keys: number
  models: number
  devices: number
}

export type Role = 'owner' | 'admin' | 'member'
export type ModelState = 'enabled' | 'disabled' | 'removed'

/** Only keys that may be used: not revoked, and their creator still a member. Expiry is checked at use. */
export interface AccessKey {
  id: string
  organization: string
  digest: string
  expiresAt?: Date
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
}

export interface Organization {
  id: string
  name: string
  createdAt: Date
}

export interface Member {
  organization: string
  person: string
  email: string
  name: string
  role: Role
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
}

export interface Key {
  id: string
  organization: string
  createdBy: string
  name: string
  hint: string
  createdAt: Date
  expiresAt?: Date
  revokedAt?: Date
  lastUsedAt?: Date
}

export interface Model {
  organization: string
  name: string
  state: ModelState
  ownedBy: string
  createdAt: Date
}

export interface Device {
  id: string
  organization: string
  name: string
  createdAt: Date
  app?: string
  lastSeenAt?: Date
}

/** One hour (`hour` is its start, UTC) of one key on one model and one device. `device` is empty when no device answered. */
export interface UsageRow {
  hour: Date
  organization: string
  key: string
  model: string
  device: string
  requests: number
  errors: number
  promptTokens: number
  completionTokens: number
  waitMs: number
}
