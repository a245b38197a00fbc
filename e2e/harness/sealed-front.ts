// hearth-seal's proxy in front of a gateway, with a seal for each organization. A test that uses its address sends sealed requests, and
// notices no difference.

import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Store } from '@hearth/gateway/testing'
import { checkTrust, createProxy, SealCache, sealFolder } from '@hearth/seal'
import {
  newAgreementKey,
  newSigningKey,
  sealText,
  writeDeviceList,
  type AgreementKey,
  type TrustedDevice,
} from '@hearth/sealing'
import { removeFolder } from './remove-folder.ts'

export interface SealedFront extends AsyncDisposable {
  /** Where clients find it. */
  origin: string
  /** Of every device of the test. */
  key: AgreementKey
  /** Signs a new list with these devices too. `apiKey` is one of the organization. */
  approve(organization: string, apiKey: string, devices: readonly string[]): Promise<void>
}

const AN_HOUR_MS = 3_600_000

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
  const home = await mkdtemp(join(tmpdir(), 'hearth-seal-'))
  const { origin, close } = await startProxy(gateway, seal, home)
  return {
    origin,
    key,
    async approve(organization, apiKey, ids) {
      const { number, devices } = lists.get(organization) ?? { number: 0, devices: [] }
      const added = ids.map((id) => ({ id, name: id, key: key.publicKey, from: Date.now() }))
      const list = { number: number + 1, devices: [...devices, ...added] }
      const signed = writeDeviceList({ organization, signedAt: Date.now(), ...list }, root)
      await put(gateway, apiKey, { devices: signed })
      lists.set(organization, list)
    },
    async [Symbol.asyncDispose]() {
      await close()
      await removeFolder(home)
    },
  }
}

/** Each organization has the same seal here, so each has a folder for what was seen of it. */
async function startProxy(gateway: string, seal: string, home: string) {
  let hours = 0
  const cache = new SealCache({
    gateway: new URL(gateway),
    check: (information) => checkTrust(information, seal, sealFolder(join(home, information.organization)).seen),
    // So that it knows each device that a test adds.
    now: () => ++hours * AN_HOUR_MS,
  })
  const proxy = createProxy({
    gateway: new URL(gateway),
    apiKey: undefined,
    cache,
    hasAffinity: true,
    onProblem: () => undefined,
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const close = async () => {
    proxy.closeAllConnections()
    proxy.close()
    await once(proxy, 'close')
  }
  return { origin: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, close }
}

async function put(gateway: string, apiKey: string, lists: object): Promise<void> {
  const answer = await fetch(`${gateway}/sealed/v1/seal`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(lists),
  })
  if (answer.status !== 204) throw new Error(`Cannot store a list: ${answer.status} ${await answer.text()}`)
}
