// Many streams at the pace of a model: every token is a write of its own, so the system calls weigh more than anything else.

import { setTimeout as sleep } from 'node:timers/promises'
import { lowOf } from '../measuring/compare.ts'
import { startClients, type OpenStreams } from '../measuring/open-streams.ts'
import { cpuMicros } from '../gateway/process-facts.ts'
import { STEPS_PER_SECOND } from '../gateway/tokens.ts'
import type { BenchOptions, Measure } from '../measure.ts'
import { startProcesses } from '../systems/checkouts.ts'
import type { Hearth } from '../systems/hearth.ts'
import { stopAll } from '../systems/system.ts'

export const SLOTS_PER_DEVICE = 64
/** Some tokens are on their way when the devices begin. */
const BEGIN_MS = 150
/** Longer than other rounds, because some tokens are on their way at the end too. */
const ROUNDS_AS_ONE = 3

export const slowStreams: Measure = {
  name: 'slow',
  async run(options) {
    const streams = options.isQuick ? 250 : 1_000
    const size = { keys: 1, devices: Math.ceil(streams / SLOTS_PER_DEVICE) }
    const systems = await startProcesses(options, { frames: 'paced', size })
    const costs = await costsPerToken(systems, streams, options)
    await stopAll(systems)
    return [
      {
        what: `${streams} streams at ${STEPS_PER_SECOND} tokens/s each, CPU per token`,
        figures: Object.fromEntries([...costs].map(([name, micros]) => [name, `${micros.toFixed(1)} µs`])),
        bars: [{ unit: 'µs', value: costs.get('hearth, paced')!, most: 12 }],
      },
    ]
  },
}

/** By the system's name. The systems take turns: the devices of all others rest meanwhile. */
export async function costsPerToken(
  systems: readonly Hearth[],
  streams: number,
  options: BenchOptions,
): Promise<Map<string, number>> {
  const clients: OpenStreams[] = []
  for (const system of systems) clients.push(await open(system, streams, options))
  const rounds = new Map<string, number[]>(systems.map(({ name }) => [name, []]))
  for (let round = 0; round < options.rounds; round++)
    for (const system of systems) rounds.get(system.name)!.push(await oneRound(system, options))
  for (const each of clients) await each.close()
  return new Map([...rounds].map(([name, costs]) => [name, lowOf(costs)]))
}

async function open(system: Hearth, streams: number, { warmUpSeconds }: BenchOptions): Promise<OpenStreams> {
  const clients = startClients(system)
  await clients.open(streams)
  await sleep(warmUpSeconds * 1_000)
  system.order('rest')
  return clients
}

async function oneRound(system: Hearth, { seconds }: BenchOptions): Promise<number> {
  system.order('work')
  await sleep(BEGIN_MS)
  const before = { cpu: cpuMicros(system.pids), tokens: await system.countTokens() }
  await sleep(ROUNDS_AS_ONE * seconds * 1_000)
  const cost = (cpuMicros(system.pids) - before.cpu) / ((await system.countTokens()) - before.tokens)
  system.order('rest')
  return cost
}
