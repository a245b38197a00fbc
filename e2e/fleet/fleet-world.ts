// A service of three gateways with an organization, and devices and clients that choose their gateway.

import { join } from 'node:path'
import {
  createEnrolmentToken,
  makeDataFolder,
  openStore,
  ScriptedDevice,
  type JobPlan,
  type Store,
} from '@hearth/gateway/testing'
import { Client } from '../harness/client/client.ts'
import { removeFolder } from '../harness/remove-folder.ts'
import { FULL, seedStore, type Seed } from '../harness/seed.ts'
import { startFleet, type FleetProcess } from '../harness/start-fleet.ts'

const HOUR_MS = 3_600_000

export interface FleetWorld extends AsyncDisposable {
  fleet: FleetProcess
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
  const enrol = () => enrolDevice(store, seed, client())
  return {
    fleet,
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

/** Returns the credential of a new device. */
export async function enrolDevice(
  store: Store,
  { organizations }: { organizations: Pick<Seed['organizations'], 'home'> },
  client: Client,
): Promise<string> {
  const { key: token, digest } = createEnrolmentToken()
  const expiresAt = new Date(Date.now() + HOUR_MS)
  await store.createEnrolment({ organization: organizations.home, digest, expiresAt })
  const url = client.base.replace('/openai/v1', '/device/v1/enrol')
  const { json, text } = await client.call(url, { key: null, body: { token, name: 'scripted' } })
  const { credential } = (json ?? {}) as { credential?: string }
  if (credential === undefined) throw new Error(`Cannot enrol a device: ${text}`)
  return credential
}
