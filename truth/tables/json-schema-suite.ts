// The official JSON Schema test suite. Accepting an invalid instance is a defect; rejecting a valid one is only strict.

import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Schema } from '@hearth/json-schema-grammar'
import { judgeSchema, type Verdict } from '@hearth/json-schema-grammar/testing'
import { pythonSource } from '../python-source.ts'
import { percent, type Table } from '../table.ts'

const SOURCE = 'jsonschema==4.26.0'
const DRAFTS = ['draft4', 'draft7', 'draft2020-12']
/** Instances of optional/format are invalid only where formats are enforced, as they are here. */
const FOLDERS = ['', 'optional/format']
const LEAST_TAKEN = 0.75

interface Group {
  description: string
  schema: Schema
  tests: { description: string; data: unknown; valid: boolean }[]
}

interface Result extends Verdict {
  name: string
}

export async function jsonSchemaSuite(): Promise<Table> {
  const root = await suiteRoot()
  const results = new Map<string, Result[]>()
  for (const draft of DRAFTS)
    for (const folder of FOLDERS) results.set(join(draft, folder), await judgeFolder(join(root, draft, folder)))
  const all = [...results.values()].flat()
  const taken = all.filter(({ refusal }) => refusal === undefined).length
  const loose = all.flatMap(({ name, tooLoose }) => tooLoose.map((text) => `too loose: ${name}: ${text}`))
  return {
    columns: ['folder', 'schemas', 'taken', '', 'invalid', 'accepted', 'valid', 'accepted', ''],
    rows: [...results].map(([name, found]) => row(name, found)).concat([row('all', all)]),
    bars: [
      { claim: 'no invalid instance is accepted', isMet: loose.length === 0 },
      { claim: 'at least 75 % of the schemas are taken', isMet: taken >= all.length * LEAST_TAKEN },
    ],
    notes: loose,
    details: details(all),
  }
}

function row(name: string, results: readonly Result[]): (string | number)[] {
  const taken = results.filter(({ refusal }) => refusal === undefined)
  const sum = (count: (result: Result) => number) => taken.reduce((total, result) => total + count(result), 0)
  const [valid, strict] = [sum((result) => result.valid), sum((result) => result.tooStrict.length)]
  return [
    name,
    results.length,
    taken.length,
    percent(taken.length, results.length),
    sum((result) => result.invalid),
    sum((result) => result.tooLoose.length),
    valid,
    valid - strict,
    percent(valid - strict, valid),
  ]
}

function details(results: readonly Result[]): string[] {
  return results.flatMap(({ name, refusal, tooStrict }) =>
    refusal === undefined ? tooStrict.map((text) => `too strict: ${name}: ${text}`) : [`refused: ${name}: ${refusal}`],
  )
}

export async function suiteSchemas(): Promise<Schema[]> {
  const root = await suiteRoot()
  const folders = DRAFTS.flatMap((draft) => FOLDERS.map((folder) => join(root, draft, folder)))
  const groups = await Promise.all(folders.map(readFolder))
  return groups.flat().map(({ schema }) => schema)
}

async function suiteRoot(): Promise<string> {
  return join(await pythonSource(SOURCE), 'json', 'tests')
}

async function judgeFolder(folder: string): Promise<Result[]> {
  return (await readFolder(folder)).map(judgeGroup)
}

async function readFolder(folder: string): Promise<Group[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.json'))
  const groups = await Promise.all(
    files.map(async (file) => {
      const read = JSON.parse(await readFile(join(folder, file), 'utf8')) as Group[]
      return read.map((group) => ({ ...group, description: `${file}: ${group.description}` }))
    }),
  )
  return groups.flat()
}

function judgeGroup({ description, schema, tests }: Group): Result {
  const instances = (isValid: boolean) => tests.filter(({ valid }) => valid === isValid).map(({ data }) => data)
  return { name: description, ...judgeSchema(schema, instances(true), instances(false)) }
}
