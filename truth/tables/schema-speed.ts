// How long schemas take to compile. Each run is a new thread. The shortest of several runs counts for each schema, because the machine does
// other things too. A schema that takes longer than a tick is always interrupted on a busy machine, so its CPU time counts if that is less.

import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Schema } from '@hearth/json-schema-grammar'
import type { CompileTime } from '../speed/compile-all.ts'
import type { Table } from '../table.ts'
import { suiteSchemas } from './json-schema-suite.ts'
import { collectedSchemas } from './schema-collection.ts'
import { pydanticSchemas, zodSchemas } from './schema-libraries.ts'

const MEDIAN_MS = 0.5
const P99_MS = 15
const RUNS = 5
/** CPU time is counted in ticks. */
const TICK_MS = 4

interface Timed {
  name: string
  first: number[]
  again: number[]
}

export async function schemaSpeed(): Promise<Table> {
  const sources = {
    collection: await collectedSchemas(),
    'schema libraries': [...Object.values(zodSchemas()), ...Object.values(await pydanticSchemas())],
    'json-schema-suite': await suiteSchemas(),
  }
  const schemas = Object.values(sources).flat()
  const all = { name: 'all', ...(await timesOf(schemas)) }
  let begin = 0
  const timed = Object.entries(sources).map(([name, { length }]) => {
    const part = (times: readonly number[]) => times.slice(begin, begin + length)
    const times = { name, first: part(all.first), again: part(all.again) }
    begin += length
    return times
  })
  return {
    columns: ['schemas', 'count', 'first: p50', 'p99', 'most', 'again: p50', 'p99', 'most'],
    rows: [...timed, all].map(row),
    bars: [
      { claim: `half of all schemas compile in ${MEDIAN_MS} ms`, isMet: at(all.first, 0.5) <= MEDIAN_MS },
      { claim: `99 % of all schemas compile in ${P99_MS} ms`, isMet: at(all.first, 0.99) <= P99_MS },
    ],
    notes: [],
    details: slowest(schemas, all.first),
  }
}

function row({ name, first, again }: Timed): (string | number)[] {
  const shown = [first, again].flatMap((times) => [0.5, 0.99, 1].map((share) => at(times, share).toFixed(2)))
  return [name, first.length, ...shown]
}

interface Run {
  first: CompileTime[]
  again: CompileTime[]
}

/** In milliseconds, per schema. */
async function timesOf(schemas: readonly Schema[]): Promise<Omit<Timed, 'name'>> {
  const runs: Run[] = []
  for (let run = 0; run < RUNS; run++) runs.push(await compileAll(schemas))
  const combined = (part: keyof Run) => schemas.map((_, index) => combine(runs.map((run) => run[part][index]!)))
  return { first: combined('first'), again: combined('again') }
}

function combine(times: readonly CompileTime[]): number {
  const shortest = Math.min(...times.map(({ wallMs }) => wallMs))
  const used = times.map(({ cpuMs }) => cpuMs)
  return shortest <= TICK_MS ? shortest : Math.min(shortest, Math.max(TICK_MS, at(used, 0.5)))
}

async function compileAll(schemas: readonly Schema[]): Promise<Run> {
  const worker = new Worker(new URL('../speed/compile-all.ts', import.meta.url), { workerData: schemas })
  const [times] = (await once(worker, 'message')) as [Run]
  return times
}

function at(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) * share)]!
}

function slowest(schemas: readonly Schema[], times: readonly number[]): string[] {
  return times.flatMap((time, index) =>
    time > P99_MS / 2 ? [`${time.toFixed(1)} ms: ${JSON.stringify(schemas[index]).slice(0, 200)}`] : [],
  )
}
