// Measures several systems in short, interleaved rounds, and keeps one of the least. On a shared machine, the same work takes up to twice the
// CPU time at some moments, probably while a neighbor uses the other half of the core, so medians tell more about the machine than the system. The rounds go on
// until the least ones of every system agree.

import type { BenchOptions } from '../measure.ts'
import type { System } from '../systems/system.ts'
import { median } from '../percentile.ts'
import { measure, type Measurement } from './measure.ts'

export interface Load {
  stream: boolean
  connections: number
}

/** By the system's name. Processes that share a name are the same system: each compiles its code differently, by chance. */
export type Comparison = ReadonlyMap<string, Measurement>

const WARM_UP_CONNECTIONS = 32
const COMPILED_SECONDS = 1

/** So many of the least rounds have to agree, this closely. The last of them counts: the very least may have been lucky. */
const AGREEING = 3
const AGREEMENT = 1.03
/** How many times as many rounds there are at most. */
const PATIENCE = 1.5

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
  const results = new Map<string, Measurement[]>(systems.map(({ name }) => [name, []]))
  for (let round = 0; round < rounds || (round < PATIENCE * rounds && ![...results.values()].every(agree)); round++)
    for (const system of systems) results.get(system.name)!.push(await measure(system, { ...load, seconds }))
  return new Map([...results].map(([name, measured]) => [name, summarize(measured)]))
}

function agree(measured: readonly Measurement[]): boolean {
  const costs = measured.map((each) => each.cpuMicrosPerRequest)
  return lowOf(costs) <= AGREEMENT * Math.min(...costs)
}

/** One of the least. */
export function lowOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.min(AGREEING, values.length) - 1]!
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

function summarize(measured: readonly Measurement[]): Measurement {
  const low = (pick: (each: Measurement) => number) => lowOf(measured.map(pick))
  const middle = (pick: (each: Measurement) => number) => median(measured.map(pick))
  return {
    requests: middle((each) => each.requests),
    failures: Math.max(...measured.map((each) => each.failures)),
    seconds: middle((each) => each.seconds),
    firstByteP50: low((each) => each.firstByteP50),
    firstByteP99: middle((each) => each.firstByteP99),
    cpuMicrosPerRequest: low((each) => each.cpuMicrosPerRequest),
  }
}
