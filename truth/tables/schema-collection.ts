// Schemas that other people wrote, with instances: how many are taken, and how exact their grammars are.

import { readFile } from 'node:fs/promises'
import type { Schema } from '@hearth/json-schema-grammar'
import { judgeSchema, type Verdict } from '@hearth/json-schema-grammar/testing'
import { percent, type Table } from '../table.ts'

const KINDS = ['functions', 'bodies', 'answers', 'configurations']
const MOST_REFUSED = 0.1
const LEAST_ACCEPTED = 0.97

interface Entry {
  name: string
  schema: Schema
  valid: unknown[]
  invalid: unknown[]
}

interface Result extends Verdict {
  name: string
}

export async function schemaCollection(): Promise<Table> {
  const kinds = await Promise.all(KINDS.map(async (kind) => ({ kind, entries: await readEntries(kind) })))
  const judged = kinds.map(({ kind, entries }) => ({ kind, results: entries.map(judge) }))
  const all = judged.flatMap(({ results }) => results)
  const total = summarize(all)
  return {
    columns: ['kind', 'schemas', 'refused', 'invalid', 'accepted', 'valid', 'accepted', ''],
    rows: [...judged.map(({ kind, results }) => row(kind, results)), row('all', all)],
    bars: [
      { claim: 'at least 500 schemas', isMet: all.length >= 500 },
      { claim: 'at most 10 % are refused', isMet: total.refused <= all.length * MOST_REFUSED },
      { claim: 'no invalid instance is accepted', isMet: total.tooLoose === 0 },
      { claim: 'at least 97 % of valid instances are accepted', isMet: total.accepted >= total.valid * LEAST_ACCEPTED },
    ],
    notes: all.flatMap(({ name, tooLoose }) => tooLoose.map((text) => `too loose: ${name}: ${text}`)),
    details: all.flatMap(({ name, refusal, tooStrict }) =>
      refusal === undefined
        ? tooStrict.map((text) => `too strict: ${name}: ${text}`)
        : [`refused: ${name}: ${refusal}`],
    ),
  }
}

export async function collectedSchemas(): Promise<Schema[]> {
  const entries = await Promise.all(KINDS.map(readEntries))
  return entries.flat().map(({ schema }) => schema)
}

async function readEntries(kind: string): Promise<Entry[]> {
  const text = await readFile(new URL(`../collection/${kind}.jsonl`, import.meta.url), 'utf8')
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Entry)
}

function judge({ name, schema, valid, invalid }: Entry): Result {
  return { name, ...judgeSchema(schema, valid, invalid) }
}

function summarize(results: readonly Result[]) {
  const taken = results.filter(({ refusal }) => refusal === undefined)
  const sum = (count: (result: Result) => number) => taken.reduce((total, result) => total + count(result), 0)
  const valid = sum((result) => result.valid)
  return {
    refused: results.length - taken.length,
    invalid: sum((result) => result.invalid),
    tooLoose: sum((result) => result.tooLoose.length),
    valid,
    accepted: valid - sum((result) => result.tooStrict.length),
  }
}

function row(name: string, results: readonly Result[]): (string | number)[] {
  const { refused, invalid, tooLoose, valid, accepted } = summarize(results)
  return [name, results.length, refused, invalid, tooLoose, valid, accepted, percent(accepted, valid)]
}
