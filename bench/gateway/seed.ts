// A store with one organization, one model, and any number of keys and devices.

import { createCredential, createEnrolmentToken, createKey, openStore } from '@hearth/gateway'
import { MODEL } from './tokens.ts'

export interface SeedSize {
  keys: number
  devices: number
}

const LATER = new Date(Date.now() + 86_400_000)

export async function seed(url: string, { keys, devices }: SeedSize): Promise<{ key: string; credentials: string[] }> {
  const store = await openStore(url)
  const { id: organization } = await store.createOrganization({ name: 'Bench' })
  const { person } = await store.addMember({ organization, email: 'bench@example.org', name: 'Bench', role: 'owner' })
  await store.enableModel({ organization, name: MODEL })
  let key = ''
  for (let index = 0; index < keys; index++) {
    const secret = createKey()
    key = secret.key
    await store.createKey({
      organization,
      createdBy: person,
      name: `key ${index}`,
      digest: secret.digest,
      hint: secret.hint,
    })
  }
  const credentials: string[] = []
  for (let index = 0; index < devices; index++) {
    const token = createEnrolmentToken()
    const credential = createCredential()
    await store.createEnrolment({ organization, digest: token.digest, expiresAt: LATER })
    await store.redeemEnrolment({
      digest: token.digest,
      name: `device ${index}`,
      credentialDigest: credential.digest,
      at: new Date(),
    })
    credentials.push(credential.key)
  }
  await store.close()
  return { key, credentials }
}
