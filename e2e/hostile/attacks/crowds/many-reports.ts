// Devices of one organization say as much about themselves as the protocol allows, and stay.

import { MAX_MODELS_PER_DEVICE, type DeviceFrame, type DeviceModel } from '@hearth/protocol'
import { HostileLink } from '../../attacker/hostile-link.ts'
import type { Tally } from '../../attacker/tally.ts'
import type { Attack } from '../../attack.ts'

const DEVICES = 150
const AT_ONCE = 2
const FILES = 36

export const manyReports: Attack = {
  name: 'many-reports',
  from: 'outside',
  async run({ origin, credentials }, tally) {
    const waiting = credentials.slice(0, DEVICES).entries()
    const links: HostileLink[] = []
    const keepOpening = async () => {
      for (const [index, credential] of waiting) links.push(await reportAll(origin, credential, index, tally))
    }
    await Promise.all(Array.from({ length: AT_ONCE }, keepOpening))
    for (const link of links) tally.count(link.isOpen ? 'open' : await link.closed)
    for (const link of links) link.close()
  },
}

async function reportAll(origin: string, credential: string, index: number, tally: Tally): Promise<HostileLink> {
  const link = await HostileLink.open({
    origin,
    credential,
    models: [],
    onFrame: ({ type }) => type === 'notice' && tally.count(type),
  })
  // A model that nobody else has costs the scheduler most.
  await link.send({ type: 'models', models: each((model) => modelOf(`${index}-${model}`)) })
  for (const frame of REPORTS) if (link.isOpen) await link.send(frame)
  await link.settled()
  return link
}

const REPORTS: readonly DeviceFrame[] = [
  { type: 'shared', models: each((model) => ({ name: `m${model}`, files: filesOf(model) })) },
  {
    type: 'library',
    library: {
      isOpen: true,
      diskFreeBytes: 1,
      memoryBytes: 1,
      models: each((model) => ({ name: wide(model, 256), bytes: 2 ** 40, source: wide(model, 2_048) })),
    },
  },
  {
    type: 'downloads',
    downloads: each((model) => ({
      model: wide(model, 256),
      doneBytes: 2 ** 40,
      source: wide(model, 2_048),
      by: wide(model, 256),
      problem: wide(model, 1_000),
    })),
  },
]

function each<Item>(make: (model: number) => Item): Item[] {
  return Array.from({ length: MAX_MODELS_PER_DEVICE }, (_, model) => make(model))
}

function modelOf(name: string): DeviceModel {
  return { name, contextLength: 2 ** 40, slots: 1, features: [], digest: wide(1, 256) }
}

function filesOf(model: number): { name: string; bytes: number; sha256: string }[] {
  return Array.from({ length: FILES }, (_, file) => ({
    name: `f${file}`,
    bytes: 2 ** 40,
    sha256: (model * FILES + file).toString(16).padStart(64, '0'),
  }))
}

/** One character beyond Latin-1 doubles the memory of a text. */
function wide(number: number, length: number): string {
  return `${number}研`.padEnd(length, 'x')
}
