// MaskBench: schemas of real programs with instances, on which other engines were measured. An engine
// passes a schema if it takes it, lets all of its valid instances through as they are written, and
// none of its invalid ones.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { addSchema, GrammarRules, GrammarTooLarge, SchemaError, type Schema } from '@hearth/json-schema-grammar'
import { matches } from '@hearth/json-schema-grammar/testing'
import { gitFolder } from '../git-folder.ts'
import { runPython } from '../python-packages.ts'
import { at, timesOf } from '../speed/times.ts'
import { percent, type Table } from '../table.ts'

const DATA = {
  address: 'https://github.com/guidance-ai/jsonschemabench',
  commit: 'ba103c73756198dd9b149ddc7db7867da7a077f6',
  folder: 'maskbench/data',
}
const LEAST_PASSING = 0.88
const MOST_REFUSED = 0.03
/** More than ten thousand schemas even each other out. */
const RUNS = 1

interface Entry {
  name: string
  schema: Schema
  tests: readonly { text: string; isValid: boolean }[]
}

type Verdict = 'passing' | 'refused' | 'too strict' | 'too loose'

interface Judged {
  name: string
  verdict: Verdict
  reason: string
}

export async function maskbench(): Promise<Table> {
  const entries = await readEntries(await gitFolder(DATA))
  const { first } = await timesOf(
    entries.map(({ schema }) => schema),
    RUNS,
  )
  const judged = entries.map(judge)
  const taken = first.filter((_, index) => judged[index]!.verdict !== 'refused')
  const loose = judged.filter(({ verdict }) => verdict === 'too loose')
  return {
    columns: ['schemas', 'count', 'passing', '', 'refused', 'too strict', 'too loose'],
    rows: [...Map.groupBy(judged, collectionOf), ['all', judged] as const].map(([name, list]) => row(name, list)),
    bars: [
      { claim: 'no invalid instance is accepted', isMet: loose.length === 0 },
      { claim: 'at least 88 % of the schemas pass', isMet: count(judged, 'passing') >= judged.length * LEAST_PASSING },
      { claim: 'at most 3 % are refused', isMet: count(judged, 'refused') <= judged.length * MOST_REFUSED },
    ],
    notes: [
      `those taken compile in ${[0.5, 0.75, 0.95, 0.99, 1].map((share) => at(taken, share).toFixed(2)).join(', ')} ms (p50, p75, p95, p99, most)`,
      ...loose.map(describe),
    ],
    details: judged.filter(({ verdict }) => verdict === 'refused' || verdict === 'too strict').map(describe),
  }
}

function row(name: string, judged: readonly Judged[]): (string | number)[] {
  const passing = count(judged, 'passing')
  const others = (['refused', 'too strict', 'too loose'] as const).map((verdict) => count(judged, verdict))
  return [name, judged.length, passing, percent(passing, judged.length), ...others]
}

function count(judged: readonly Judged[], wanted: Verdict): number {
  return judged.filter(({ verdict }) => verdict === wanted).length
}

function describe({ name, verdict, reason }: Judged): string {
  return `${verdict}: ${name}: ${reason}`
}

/** `Github_easy---o123.json` is from Github_easy. */
function collectionOf({ name }: Judged): string {
  return /^(\w+?)(?:---|_\d|_v3)/.exec(name)?.[1] ?? name
}

function judge({ name, schema, tests }: Entry): Judged {
  const rules = new GrammarRules()
  try {
    const root = addSchema(schema, rules)
    rules.write(root)
    const wrong = tests.findLast(({ text, isValid }) => matches(root, rules, text) !== isValid)
    if (wrong === undefined) return { name, verdict: 'passing', reason: '' }
    return { name, verdict: wrong.isValid ? 'too strict' : 'too loose', reason: wrong.text.slice(0, 200) }
  } catch (error) {
    if (!(error instanceof SchemaError) && !(error instanceof GrammarTooLarge)) throw error
    return { name, verdict: 'refused', reason: error.message }
  }
}

async function readEntries(folder: string): Promise<Entry[]> {
  const texts = await runPython([], new URL('maskbench_texts.py', import.meta.url), folder)
  const tests = Object.entries(texts as Record<string, [text: string, isValid: boolean][]>)
  const entries: Entry[] = []
  for (const [name, written] of tests.toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const { schema } = JSON.parse(await readFile(join(folder, name), 'utf8')) as { schema: Schema }
    entries.push({ name, schema, tests: written.map(([text, isValid]) => ({ text, isValid })) })
  }
  return entries
}
