// How much memory an open stream and an idle device link take in the gateway.

import { startClients } from '../measuring/open-streams.ts'
import { settledMemory } from '../measuring/settled-memory.ts'
import type { Measure } from '../measure.ts'
import type { Row } from '../report.ts'
import { startCheckouts } from '../systems/checkouts.ts'
import { startHearth, type Hearth } from '../systems/hearth.ts'
import { stopAll } from '../systems/system.ts'

const SLOTS_PER_DEVICE = 64
const KIB = 1024

export const memory: Measure = {
  name: 'memory',
  async run(options) {
    const count = options.isQuick ? 500 : 2_000
    const size = { keys: 1, devices: Math.ceil((2 * count) / SLOTS_PER_DEVICE) }
    const systems = await startCheckouts(options, { frames: 'held', size, isInspected: true })
    const streams: [string, number][] = []
    for (const system of systems) streams.push([system.name, await bytesPerStream(system, count)])
    await stopAll(systems)
    // More of them, because two processes are compared, and they differ by some megabytes anyway.
    const links = await bytesPerLink(4 * count)
    return [row('memory per open stream', streams, 12), row('memory per idle device link', [['hearth', links]], 12)]
  },
}

function row(what: string, bytes: readonly [string, number][], most: number): Row {
  const figures = Object.fromEntries(bytes.map(([name, each]) => [name, `${(each / KIB).toFixed(1)} KB`]))
  return { what, figures, bars: [{ unit: 'KB', value: bytes[0]![1] / KIB, most }] }
}

/** The second thousand counts: the first one also pays for the code it is the first to use. */
async function bytesPerStream(system: Hearth, streams: number): Promise<number> {
  const clients = startClients(system)
  await clients.open(streams)
  const before = await settledMemory(system)
  await clients.open(streams)
  const after = await settledMemory(system)
  await clients.close()
  return (after - before) / streams
}

async function bytesPerLink(links: number): Promise<number> {
  const sizes = [1, links + 1]
  const memories: number[] = []
  for (const devices of sizes) {
    const system = await startHearth({ size: { keys: 1, devices }, isInspected: true })
    memories.push(await settledMemory(system))
    await system.stop()
  }
  return (memories[1]! - memories[0]!) / links
}
