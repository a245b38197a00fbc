// Measures several systems in interleaved rounds, so that changes in the machine's load affect all of them equally.

import type { BenchOptions } from '../measure.ts'
import type { System } from '../systems/system.ts'
import { measure, median, type Measurement } from './measure.ts'

export interface Load {
  stream: boolean
  connections: number
}

/** The medians of all rounds, by the system's name. */
export type Comparison = ReadonlyMap<string, Measurement>

const WARM_UP_CONNECTIONS = 32
const COMPILED_SECONDS = 1

export async function warmUp(
  systems: readonly System[],
  stream: boolean,
  { warmUpSeconds }: BenchOptions,
): Promise<void> {
  for (const system of systems) {
    const seconds = system.isCompiled ? COMPILED_SECONDS : warmUpSeconds
    await measure(system, { stream, connections: WARM_UP_CONNECTIONS, seconds })
  }
}

export async function compare(
  systems: readonly System[],
  load: Load,
  { rounds, seconds }: BenchOptions,
): Promise<Comparison> {
  const results = systems.map(({ name }) => ({ name, measured: [] as Measurement[] }))
  for (let round = 0; round < rounds; round++)
    for (const [index, system] of systems.entries())
      results[index]!.measured.push(await measure(system, { ...load, seconds }))
  return new Map(results.map(({ name, measured }) => [name, mediansOf(measured)]))
}

/** A ratio to a peer that is missing is NaN. */
export function ratio(comparison: Comparison, name: string, peer: string, pick: (each: Measurement) => number): number {
  const [ours, theirs] = [comparison.get(name), comparison.get(peer)]
  return ours && theirs ? pick(ours) / pick(theirs) : Number.NaN
}

export function figures(comparison: Comparison, format: (each: Measurement) => string): Record<string, string> {
  return Object.fromEntries(
    [...comparison].map(([name, each]) => [name, each.failures > 0 ? `failed (${each.failures})` : format(each)]),
  )
}

function mediansOf(measured: readonly Measurement[]): Measurement {
  const of = (pick: (each: Measurement) => number) => median(measured.map(pick))
  return {
    requests: of((each) => each.requests),
    failures: of((each) => each.failures),
    seconds: of((each) => each.seconds),
    firstByteP50: of((each) => each.firstByteP50),
    firstByteP99: of((each) => each.firstByteP99),
    cpuMicrosPerRequest: of((each) => each.cpuMicrosPerRequest),
  }
}
