// A store with one organization, one model, and any number of keys and devices. Only one key is used; the others are there to be many.

import { createCredential, createKey, openStore } from '@hearth/gateway'
import { addManyDevices, addManyKeys, makeDataFolder } from '@hearth/gateway/testing'
import { MODEL } from './tokens.ts'

export interface SeedSize {
  keys: number
  devices: number
}

/** `folder` is empty. */
export async function seed(
  folder: string,
  { keys, devices }: SeedSize,
): Promise<{ key: string; credentials: string[] }> {
  const store = await openStore(`pglite:${await makeDataFolder(folder)}`)
  const { id: organization } = await store.createOrganization({ name: 'Bench' })
  const { person } = await store.addMember({ organization, email: 'bench@example.org', name: 'Bench', role: 'owner' })
  await store.enableModel({ organization, name: MODEL })
  const { key, digest, hint } = createKey()
  await store.createKey({ organization, createdBy: person, name: 'key', digest, hint })
  await store.close()
  if (keys > 1) await addManyKeys(folder, { organization, createdBy: person, keys: keys - 1 })
  const credentials = Array.from({ length: devices }, createCredential)
  await addManyDevices(folder, { organization, digests: credentials.map((each) => each.digest) })
  return { key, credentials: credentials.map((each) => each.key) }
}
