// An organization's seal, as an administrator would have it on their own machine, and the lists that it signs.

import type { Store } from '@hearth/gateway/testing'
import {
  newAgreementKey,
  newSigningKey,
  sealText,
  writeAdministrators,
  writeDeviceList,
  type TrustedDevice,
} from '@hearth/sealing'
import { linkDevice, theOrganization } from './fill.ts'

export interface SealedDevice {
  name: string
  key: string
}

export class TestSeal {
  readonly #key = newSigningKey()
  readonly text = sealText(this.#key.publicKey, 'hs')
  #number = 0

  /** Signs a list with these devices and no others. */
  async approve(store: Store, approved: readonly SealedDevice[]): Promise<void> {
    const organization = await theOrganization(store)
    const known = await store.listDevices(organization)
    const devices = approved.map(({ name, key }): TrustedDevice => {
      const id = known.find((device) => device.name === name)?.id ?? `gone-${name}`
      return { id, name, key, from: Date.now() }
    })
    const number = ++this.#number
    const list = writeDeviceList({ organization, number, signedAt: Date.now(), devices }, this.#key)
    await this.#put(store, { devices: { ...list, number, entries: devices.length } })
  }

  async trust(store: Store, name: string): Promise<void> {
    const organization = await theOrganization(store)
    const administrators = [{ name, key: newSigningKey().publicKey }]
    const list = writeAdministrators({ organization, number: 1, administrators }, this.#key)
    await this.#put(store, { administrators: { ...list, number: 1, entries: 1 } })
  }

  async #put(store: Store, lists: Omit<Parameters<Store['putSignedLists']>[0], 'organization' | 'seal' | 'apiKey'>) {
    const organization = await theOrganization(store)
    const done = await store.putSignedLists({ organization, seal: this.text, apiKey: 'none', ...lists })
    if (done !== 'put') throw new Error(`The list was not put: ${done}`)
  }
}

/** A device with a key for sealed requests. It stops with the gateway. */
export async function linkSealedDevice(store: Store, origin: string, name: string): Promise<SealedDevice> {
  const { publicKey: key } = newAgreementKey()
  await linkDevice(store, origin, { name, models: ['m'], extraFields: { sealKey: key } })
  return { name, key }
}
