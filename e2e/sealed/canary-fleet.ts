// Three gateways whose memory can be searched, an organization with a seal, and two devices that answer with words that exist nowhere else.

import { ScriptedDevice, dumpRows, type Plan } from '@hearth/gateway/testing'
import { FEATURES } from '@hearth/protocol'
import { startFleetWorld } from '../fleet/fleet-world.ts'
import { Client } from '../harness/client/client.ts'
import { startSealedFront } from '../harness/sealed-front.ts'
import { FULL } from '../harness/seed.ts'
import { enrolDevice } from '../harness/enrol-device.ts'
import { findWords } from './search/find-words.ts'
import { searchMemory } from './search/process-memory.ts'
import { recordNats } from './search/record-nats.ts'
import { searchFolder } from './search/search-folder.ts'

export type Place = 'memory' | 'NATS' | 'tables' | 'files' | 'log'

export interface CanaryFleet extends AsyncDisposable {
  /** Its requests go to the third gateway, as they are or sealed. */
  client(kind: 'plain' | 'sealed'): Client
  /** The first device is at the first gateway, the second one at the second. */
  connect(index: 0 | 1, plan: Plan): Promise<ScriptedDevice>
  /** Which of the words is in each place right now. */
  search(words: readonly string[]): Promise<Record<Place, string[]>>
  /** Whether the database has the record of this request, which is written after its end. */
  isRecorded(request: string): Promise<boolean>
}

export async function startCanaryFleet(): Promise<CanaryFleet> {
  const world = await startFleetWorld({ LOG_LEVEL: 'debug', USAGE_FLUSH_MS: '100' })
  const { fleet, folder, store, seed } = world
  const record = await recordNats(fleet.nats.port)
  const { home } = seed.organizations
  const third = fleet.replicas[2]!.origin
  const front = await startSealedFront(third, store, [home])
  const connect: CanaryFleet['connect'] = async (index, plan) => {
    const { credential } = await enrolDevice(store, { origin: third, organization: home })
    const gateway = fleet.replicas[index]!.origin
    const models = [{ name: FULL, slots: 8, features: [...FEATURES], digest: 'sha256:canary' }]
    const device = await ScriptedDevice.connect({ gateway, credential, models, plan, sealKey: front.key })
    await front.approve(home, seed.keys.home, [(await device.welcome).device])
    return device
  }
  const searchGateways = async (words: readonly string[]) => {
    const found = await Promise.all(fleet.replicas.map(({ pid }) => searchMemory(pid, words)))
    return words.filter((word) => found.flat().includes(word))
  }
  return {
    client: (kind) =>
      kind === 'plain' ? world.client(third) : new Client(`${front.origin}/openai/v1`, seed.keys.home),
    connect,
    search: async (words) => ({
      memory: await searchGateways(words),
      NATS: record.search(words),
      tables: findWords(Buffer.from((await dumpRows(fleet.databaseUrl)).join('\n')), words),
      files: [...(await searchFolder(folder, words)), ...(await searchFolder(fleet.postgres.folder, words))],
      log: findWords(Buffer.from(fleet.output()), words),
    }),
    isRecorded: async (request) => (await dumpRows(fleet.databaseUrl)).some((row) => row.includes(request)),
    async [Symbol.asyncDispose]() {
      record[Symbol.dispose]()
      await front[Symbol.asyncDispose]()
      await world[Symbol.asyncDispose]()
    },
  }
}
