// Many streams at the pace of a model: every token is a write of its own, so the system calls weigh more than anything else.

import { setTimeout as sleep } from 'node:timers/promises'
import { lowOf } from '../gateway/compare.ts'
import { startClients } from '../gateway/open-streams.ts'
import { cpuMicros } from '../gateway/process-facts.ts'
import { STEPS_PER_SECOND } from '../gateway/tokens.ts'
import type { BenchOptions, Measure } from '../measure.ts'
import { startCheckouts } from '../systems/checkouts.ts'
import type { Hearth } from '../systems/hearth.ts'
import { stopAll } from '../systems/system.ts'

export const SLOTS_PER_DEVICE = 64

export const slowStreams: Measure = {
  name: 'slow',
  async run(options) {
    const streams = options.isQuick ? 250 : 1_000
    const size = { keys: 1, devices: Math.ceil(streams / SLOTS_PER_DEVICE) }
    const systems = await startCheckouts(options, { frames: 'paced', size })
    const costs = new Map<string, number>()
    for (const system of systems) costs.set(system.name, await costPerToken(system, streams, options))
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

/** Not interleaved with another checkout: two thousand streams at once would be another load. */
export async function costPerToken(system: Hearth, streams: number, options: BenchOptions): Promise<number> {
  const clients = startClients(system)
  await clients.open(streams)
  await sleep(options.warmUpSeconds * 1_000)
  const rounds: number[] = []
  // Longer rounds, because some tokens are on their way when one begins or ends.
  for (let round = 0; round < options.rounds / 2; round++) rounds.push(await oneRound(system, 4 * options.seconds))
  await clients.close()
  return lowOf(rounds)
}

async function oneRound(system: Hearth, seconds: number): Promise<number> {
  const before = { cpu: cpuMicros(system.pids), tokens: await system.countTokens() }
  await sleep(seconds * 1_000)
  return (cpuMicros(system.pids) - before.cpu) / ((await system.countTokens()) - before.tokens)
}
