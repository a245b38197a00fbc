// Many devices and streams over three gateways: what a request costs, what a link and a stream take, and how many tokens get through.

import { setTimeout as sleep } from 'node:timers/promises'
import { compare, figures, ratio, warmUp } from '../measuring/compare.ts'
import type { Measurement } from '../measuring/measure.ts'
import { startClients, type OpenStreams } from '../measuring/open-streams.ts'
import { cpuMicros } from '../gateway/process-facts.ts'
import { settledMemory } from '../measuring/settled-memory.ts'
import { STEPS_PER_SECOND } from '../gateway/tokens.ts'
import type { BenchOptions, Measure } from '../measure.ts'
import type { Row } from '../report.ts'
import { startSeveral, type Several } from '../systems/several.ts'
import { stopAll } from '../systems/system.ts'
import { SLOTS_PER_DEVICE } from './slow-streams.ts'

/** One for each gateway, so that as many jobs as with many devices go to another gateway. */
const FEW = 3
const KIB = 1024

const cost = (each: Measurement) => each.cpuMicrosPerRequest

export const fleetSize: Measure = {
  name: 'size',
  async run(options) {
    const devices = options.isQuick ? 1_000 : 10_000
    const streams = options.isQuick ? 300 : 3_000
    return [...(await deviceRows(devices, options)), ...(await streamRows(devices, streams, options))]
  },
}

async function deviceRows(devices: number, options: BenchOptions): Promise<Row[]> {
  const systems = [await start('joined', FEW), await start('joined', devices)]
  const [few = Number.NaN, many = Number.NaN] = await Promise.all(systems.map(settledMemory))
  await warmUp(systems, false, options)
  const compared = await compare(systems, { stream: false, connections: 32 }, options)
  await stopAll(systems)
  const linkKib = (many - few) / (devices - FEW) / KIB
  return [
    {
      what: `whole reply with ${devices} devices over three gateways, all gateways' CPU per request`,
      figures: figures(compared, (each) => `${cost(each).toFixed(1)} µs`),
      bars: [{ unit: `× ${FEW} devices`, value: ratio(compared, systems[1]!.name, systems[0]!.name, cost), most: 1.1 }],
    },
    {
      what: 'memory per idle device link, in all gateways',
      figures: { three: `${linkKib.toFixed(1)} KB` },
      bars: [{ unit: 'KB', value: linkKib, most: 15 }],
    },
  ]
}

async function streamRows(devices: number, streams: number, options: BenchOptions): Promise<Row[]> {
  // Engines run batches: the other devices are idle.
  const serving = Math.ceil((1.1 * streams) / FEW / SLOTS_PER_DEVICE)
  const system = await start('paced', devices, serving)
  const warm = await openStreams(system, streams / 10)
  const before = await settledMemory(system)
  const opened = await openStreams(system, streams)
  const streamKib = ((await settledMemory(system)) - before) / streams / KIB
  const { tokensPerSecond, microsPerToken } = await pace(system, options.seconds * options.rounds)
  for (const clients of [...warm, ...opened]) await clients.close()
  await system.stop()
  return [
    {
      what: `memory per running stream, in all gateways, with ${devices} devices`,
      figures: { three: `${streamKib.toFixed(1)} KB` },
      bars: [{ unit: 'KB', value: streamKib, most: 25 }],
    },
    {
      what: `${Math.round(1.1 * streams)} streams at ${STEPS_PER_SECOND} tokens/s on ${FEW * serving} of ${devices} devices`,
      figures: {
        tokens: `${Math.round(tokensPerSecond)}/s`,
        "all gateways' CPU": `${microsPerToken.toFixed(1)} µs per token`,
        'of one core': `${Math.round((tokensPerSecond * microsPerToken) / 10_000)} %`,
      },
      bars: [],
    },
  ]
}

async function start(frames: 'joined' | 'paced', devices: number, serving?: number): Promise<Several> {
  const size = { keys: 1, devices }
  const system = await startSeveral({
    frames,
    size,
    devices: 'spread',
    isInspected: true,
    ...(serving !== undefined && { serving }),
  })
  return { ...system, name: `${devices} devices` }
}

/** As many on each gateway. */
async function openStreams(system: Several, streams: number): Promise<OpenStreams[]> {
  const clients = system.ports.map((port) => startClients({ ...system, port }))
  await Promise.all(clients.map((each) => each.open(Math.round(streams / clients.length))))
  return clients
}

async function pace(system: Several, seconds: number): Promise<{ tokensPerSecond: number; microsPerToken: number }> {
  const before = { cpu: cpuMicros(system.pids), tokens: await system.countTokens(), at: performance.now() }
  await sleep(seconds * 1_000)
  const tokens = (await system.countTokens()) - before.tokens
  return {
    tokensPerSecond: (tokens * 1_000) / (performance.now() - before.at),
    microsPerToken: (cpuMicros(system.pids) - before.cpu) / tokens,
  }
}
