// A service of three gateways with an organization, and devices and clients that choose their gateway.

import { join } from 'node:path'
import { makeDataFolder, openStore, ScriptedDevice, type JobPlan, type Store } from '@hearth/gateway/testing'
import { Client } from '../harness/client/client.ts'
import { enrolDevice } from '../harness/enrol-device.ts'
import { removeFolder } from '../harness/remove-folder.ts'
import { FULL, seedStore, type Seed } from '../harness/seed.ts'
import { startFleet, type FleetProcess } from '../harness/start-fleet.ts'

export interface FleetWorld extends AsyncDisposable {
  fleet: FleetProcess
  /** Of the gateways, outside of the database. */
  folder: string
  store: Store
  seed: Seed
  connectDevice(origin: string, plan: JobPlan): Promise<ScriptedDevice>
  /** Returns the credential of a new device. */
  enrol(): Promise<string>
  /** Of one gateway, or of the balancer. */
  client(origin?: string): Client
}

export async function startFleetWorld(
  settings: Record<string, string> = {},
  isBalancerAsking = false,
): Promise<FleetWorld> {
  const folder = await makeDataFolder()
  const usual = { READY_GRACE_MS: '1', DRAIN_MS: '1000', USAGE_JOURNAL: join(folder, 'usage-journal') }
  const fleet = await startFleet({ count: 3, settings: { ...usual, ...settings }, isBalancerAsking })
  const store = await openStore(fleet.databaseUrl)
  const seed = await seedStore(store)
  const client = (origin = fleet.origin) => new Client(`${origin}/openai/v1`, seed.keys.home)
  const enrol = async () => {
    const { credential } = await enrolDevice(store, { origin: fleet.origin, organization: seed.organizations.home })
    return credential
  }
  return {
    fleet,
    folder,
    store,
    seed,
    client,
    enrol,
    connectDevice: async (origin, plan) =>
      ScriptedDevice.connect({ gateway: origin, credential: await enrol(), models: [{ name: FULL, slots: 8 }], plan }),
    async [Symbol.asyncDispose]() {
      await store.close()
      await fleet[Symbol.asyncDispose]()
      await removeFolder(folder)
    },
  }
}
