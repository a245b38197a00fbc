// A store with one organization, one model, and any number of keys and devices. Only one key is used; the others make the store large.

import { createCredential, createKey, openStore } from '@hearth/gateway'
import { addManyDevices, addManyKeys } from '@hearth/gateway/testing'
import { MODEL } from './tokens.ts'

export interface SeedSize {
  keys: number
  devices: number
}

export interface Seeded {
  organization: string
  key: string
  credentials: string[]
}

/** The database is empty. With `seal`, the organization takes sealed requests too. */
export async function seed(url: string, { keys, devices }: SeedSize, seal?: string): Promise<Seeded> {
  const store = await openStore(url)
  const { id: organization } = await store.createOrganization({ name: 'Bench' })
  const { person } = await store.addMember({ organization, email: 'bench@example.org', name: 'Bench', role: 'owner' })
  await store.enableModel({ organization, name: MODEL })
  const { key, digest, hint } = createKey()
  await store.createKey({ organization, createdBy: person, name: 'key', digest, hint })
  if (seal !== undefined) await store.changeSealing({ organization, mode: 'optional', seal })
  await store.close()
  if (keys > 1) await addManyKeys(url, { organization, createdBy: person, keys: keys - 1 })
  const credentials = Array.from({ length: devices }, createCredential)
  await addManyDevices(url, { organization, digests: credentials.map((each) => each.digest) })
  return { organization, key, credentials: credentials.map((each) => each.key) }
}
