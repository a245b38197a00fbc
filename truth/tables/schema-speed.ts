// How long the schemas of the other tables take to compile.

import type { Schema } from '@hearth/json-schema-grammar'
import { at, timesOf, type CompileTimes } from '../speed/times.ts'
import type { Table } from '../table.ts'
import { suiteSchemas } from './json-schema-suite.ts'
import { collectedSchemas } from './schema-collection.ts'
import { pydanticSchemas, zodSchemas } from './schema-libraries.ts'

const MEDIAN_MS = 0.5
const P99_MS = 15

interface Timed extends CompileTimes {
  name: string
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

function slowest(schemas: readonly Schema[], times: readonly number[]): string[] {
  return times.flatMap((time, index) =>
    time > P99_MS / 2 ? [`${time.toFixed(1)} ms: ${JSON.stringify(schemas[index]).slice(0, 200)}`] : [],
  )
}
