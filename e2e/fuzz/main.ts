// `npm run fuzz`: sends broken requests and frames to a real gateway, or lies to hearth-seal, until something breaks or the time is up.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { readNumber } from '../harness/read-number.ts'
import { FuzzSystem } from './fuzz-system.ts'
import { fuzz, repeat, type Failure, type FuzzOptions } from './fuzz.ts'
import { SealedTarget } from './sealed/sealed-target.ts'
import type { Target } from './target.ts'

const HELP = `Sends random requests and device frames to a real gateway, most of them broken in some way. Or has a gateway lie about sealed
requests at random, to hearth-seal.

  npm run fuzz -- [gateway|sealed] [--minutes N] [--inputs N] [--seed S]
  npm run fuzz -- [gateway|sealed] --repeat <file>

  --minutes N      stop after this long (default 1)
  --inputs N       stop after this many inputs
  --seed S         the same seed gives the same inputs (default: a new one, which is printed)
  --repeat <file>  send one input again that was saved

Fails if the gateway exits, responds with a 500, logs an internal error or takes too much memory, or if another organization's
requests fail meanwhile; for sealed requests, if anybody reads or shows anything that they must not. The input that did it is saved in
fuzz-failures/.`

const FOLDER = 'fuzz-failures'
const MOST_SEEDS = 1_000_000

type Start = FuzzOptions<unknown>['start']

const text = { type: 'string' } as const
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { minutes: text, inputs: text, seed: text, repeat: text, help: { type: 'boolean', short: 'h' } },
})

/** Inputs are saved and read again as they are, so their type doesn't matter here. */
const TARGETS: Readonly<Record<string, () => Promise<Target<unknown>>>> = {
  gateway: () => FuzzSystem.start(),
  sealed: () => SealedTarget.start(),
}
const [name = 'gateway'] = positionals
const start = TARGETS[name]

if (values.help) console.log(HELP)
else if (start === undefined) throw new Error(`There is no target "${name}". Use "gateway" or "sealed".`)
else if (values.repeat !== undefined) await repeatSaved(start, values.repeat)
else await run(start)

async function run(start: Start): Promise<void> {
  const seed = readNumber('seed', values.seed) ?? Math.floor(Math.random() * MOST_SEEDS)
  const minutes = readNumber('minutes', values.minutes) ?? (values.inputs === undefined ? 1 : Infinity)
  const inputs = readNumber('inputs', values.inputs) ?? Infinity
  console.log(`seed ${seed}`)
  let sent = 0
  let seen: ReadonlyMap<string, number> = new Map()
  const onProgress: FuzzOptions<unknown>['onProgress'] = (count, outcomes) => {
    sent = Math.max(sent, count)
    seen = outcomes
  }
  const failure = await fuzz({ start, seed, minutes, inputs, onProgress })
  if (failure) return report(seed, failure, sent)
  const counts = [...seen].toSorted(([a], [b]) => a.localeCompare(b)).map(([outcome, count]) => `${count} × ${outcome}`)
  console.log(`${sent} inputs: nothing broke. Responses: ${counts.join(', ')}`)
}

function report(seed: number, { why, index, input }: Failure<unknown>, sent: number): void {
  process.exitCode = 1
  console.error(`After ${sent} inputs, ${why}`)
  if (input === undefined) {
    console.error(`No single input does this. Repeat them all: npm run fuzz -- ${name} --seed ${seed} --inputs ${sent}`)
    return
  }
  mkdirSync(FOLDER, { recursive: true })
  const file = `${FOLDER}/${name}-seed-${seed}-input-${index}.json`
  writeFileSync(file, `${JSON.stringify({ why, input }, undefined, 2)}\n`)
  console.error(`Input ${index} did it. Repeat it: npm run fuzz -- ${name} --repeat ${file}`)
}

async function repeatSaved(start: Start, file: string): Promise<void> {
  const { input } = JSON.parse(readFileSync(file, 'utf8')) as { input: unknown }
  const why = await repeat(start, input)
  console.log(why ?? 'Nothing broke')
  process.exitCode = why === undefined ? 0 : 1
}
