// hearth-seal's proxy in front of a gateway, with a seal for each organization. A test that uses its address sends sealed requests, and
// notices no difference.

import type { Store } from '@hearth/gateway/testing'
import {
  newAgreementKey,
  newSigningKey,
  sealText,
  writeDeviceList,
  type AgreementKey,
  type TrustedDevice,
} from '@hearth/sealing'
import { startSealProxy } from './seal-proxy.ts'

export interface SealedFront extends AsyncDisposable {
  /** Where clients find it. */
  origin: string
  /** Of every device of the test. */
  key: AgreementKey
  /** Signs a new list with these devices too. `apiKey` is one of the organization. */
  approve(organization: string, apiKey: string, devices: readonly string[]): Promise<void>
}

export async function startSealedFront(
  gateway: string,
  store: Store,
  organizations: readonly string[],
): Promise<SealedFront> {
  const root = newSigningKey()
  const key = newAgreementKey()
  const seal = sealText(root.publicKey, 'hs')
  for (const organization of organizations) await store.changeSealing({ organization, mode: 'optional', seal })
  const lists = new Map<string, { number: number; devices: TrustedDevice[] }>()
  const proxy = await startSealProxy(gateway, seal, (organization) => organization)
  return {
    origin: proxy.origin,
    key,
    async approve(organization, apiKey, ids) {
      const { number, devices } = lists.get(organization) ?? { number: 0, devices: [] }
      const added = ids.map((id) => ({ id, name: id, key: key.publicKey, from: Date.now() }))
      const list = { number: number + 1, devices: [...devices, ...added] }
      const signed = writeDeviceList({ organization, signedAt: Date.now(), ...list }, root)
      await put(gateway, apiKey, { devices: signed })
      lists.set(organization, list)
    },
    [Symbol.asyncDispose]: () => proxy[Symbol.asyncDispose](),
  }
}

async function put(gateway: string, apiKey: string, lists: object): Promise<void> {
  const answer = await fetch(`${gateway}/sealed/v1/seal`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(lists),
  })
  if (answer.status !== 204) throw new Error(`Cannot store a list: ${answer.status} ${await answer.text()}`)
}
