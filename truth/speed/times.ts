// How long schemas take to compile. Each run is a new thread. The shortest of several runs counts for each schema, because the machine does
// other things too. A schema that takes longer than a tick is always interrupted on a busy machine, so its CPU time counts if that is less.

import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Schema } from '@hearth/json-schema-grammar'
import type { CompileTime } from './compile-all.ts'

const RUNS = 5
/** CPU time is counted in ticks. */
const TICK_MS = 4

/** In milliseconds, per schema: in a new thread, and once more in the same. */
export interface CompileTimes {
  first: number[]
  again: number[]
}

interface Run {
  first: CompileTime[]
  again: CompileTime[]
}

export async function timesOf(schemas: readonly Schema[], count = RUNS): Promise<CompileTimes> {
  const runs: Run[] = []
  for (let run = 0; run < count; run++) runs.push(await compileAll(schemas))
  const combined = (part: keyof Run) => schemas.map((_, index) => combine(runs.map((run) => run[part][index]!)))
  return { first: combined('first'), again: combined('again') }
}

function combine(times: readonly CompileTime[]): number {
  const shortest = Math.min(...times.map(({ wallMs }) => wallMs))
  const used = times.map(({ cpuMs }) => cpuMs)
  return shortest <= TICK_MS ? shortest : Math.min(shortest, Math.max(TICK_MS, at(used, 0.5)))
}

async function compileAll(schemas: readonly Schema[]): Promise<Run> {
  const worker = new Worker(new URL('./compile-all.ts', import.meta.url), { workerData: schemas })
  const [times] = (await once(worker, 'message')) as [Run]
  return times
}

/** The time that this share of all schemas takes at most. */
export function at(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) * share)]!
}
