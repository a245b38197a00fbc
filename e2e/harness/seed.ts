// Organizations, people, keys and models that exist in every end-to-end test.

import { createKey, type Store } from '@hearth/gateway/testing'

/** Served by a device with every feature. */
export const FULL = 'acme/chat:7b'
/** Served by a device without any feature. */
export const PLAIN = 'acme/plain'
/** Enabled, served by no device unless a test connects one. */
export const LONELY = 'acme/lonely:1b'
/** The same, for tests that connect several devices. */
export const PAIR = 'pair'
export const DISABLED = 'acme/disabled'
export const REMOVED = 'acme/removed:v1'
export const UNKNOWN = 'acme/never-was'
/** Enabled for the other organization only. */
export const OTHERS = 'others/model'

export type OrganizationName = 'home' | 'other' | 'empty'

export interface Seed {
  organizations: Record<OrganizationName, string>
  /** `revoked` and `departed` belong to home: one was revoked, and the creator of the other has left. */
  keys: Record<OrganizationName | 'revoked' | 'departed', string>
  /** The models that home has enabled. */
  models: string[]
}

const MODELS: Record<OrganizationName, string[]> = {
  home: [FULL, PLAIN, LONELY, PAIR],
  other: [OTHERS, FULL],
  empty: [],
}

export async function seedStore(store: Store): Promise<Seed> {
  const home = await seedOrganization(store, 'home')
  const other = await seedOrganization(store, 'other')
  const empty = await seedOrganization(store, 'empty')
  const unusable = await seedUnusable(store, home.organization)
  return {
    organizations: { home: home.organization, other: other.organization, empty: empty.organization },
    keys: { home: home.key, other: other.key, empty: empty.key, ...unusable },
    models: MODELS.home,
  }
}

async function seedOrganization(store: Store, name: OrganizationName) {
  const { id: organization } = await store.createOrganization({ name })
  const { key } = await addKey(store, organization, `${name}@example.test`)
  for (const model of MODELS[name]) await store.enableModel({ organization, name: model })
  return { organization, key }
}

async function seedUnusable(store: Store, organization: string) {
  const revoked = await addKey(store, organization, 'careless@example.test')
  await store.revokeKey({ organization, key: revoked.id })
  const departed = await addKey(store, organization, 'leaver@example.test')
  await store.removeMember({ organization, person: departed.person })
  for (const name of [DISABLED, REMOVED]) await store.enableModel({ organization, name })
  await store.disableModel({ organization, name: DISABLED })
  await store.removeModel({ organization, name: REMOVED })
  return { revoked: revoked.key, departed: departed.key }
}

async function addKey(store: Store, organization: string, email: string) {
  const { person } = await store.addMember({ organization, email, name: email, role: 'member' })
  const { key, digest, hint } = createKey()
  const { id } = await store.createKey({ organization, createdBy: person, name: 'test', digest, hint })
  return { id, key, person }
}
