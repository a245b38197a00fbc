// `npm run fuzz`: sends broken requests and frames to a real gateway until it breaks or the time is up.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { readNumber } from '../harness/read-number.ts'
import { fuzz, repeat, type Failure, type FuzzOptions } from './fuzz.ts'
import type { Input } from './input.ts'

const HELP = `Sends random requests and device frames to a real gateway, most of them broken in some way.

  npm run fuzz -- [--minutes N] [--inputs N] [--seed S]
  npm run fuzz -- --repeat <file>

  --minutes N      stop after this long (default 1)
  --inputs N       stop after this many inputs
  --seed S         the same seed gives the same inputs (default: a new one, which is printed)
  --repeat <file>  send one input again that was saved

Fails if the gateway exits, responds with a 500, logs an internal error or takes too much memory, or if another organization's
requests fail meanwhile. The input that did it is saved in fuzz-failures/.`

const FOLDER = 'fuzz-failures'
const MOST_SEEDS = 1_000_000

const text = { type: 'string' } as const
const { values } = parseArgs({
  options: { minutes: text, inputs: text, seed: text, repeat: text, help: { type: 'boolean', short: 'h' } },
})

if (values.help) console.log(HELP)
else if (values.repeat !== undefined) await repeatSaved(values.repeat)
else await run()

async function run(): Promise<void> {
  const seed = readNumber('seed', values.seed) ?? Math.floor(Math.random() * MOST_SEEDS)
  const minutes = readNumber('minutes', values.minutes) ?? (values.inputs === undefined ? 1 : Infinity)
  const inputs = readNumber('inputs', values.inputs) ?? Infinity
  console.log(`seed ${seed}`)
  let sent = 0
  let seen: ReadonlyMap<number, number> = new Map()
  const onProgress: FuzzOptions['onProgress'] = (count, statuses) => {
    sent = Math.max(sent, count)
    seen = statuses
  }
  const failure = await fuzz({ seed, minutes, inputs, onProgress })
  if (failure) return report(seed, failure, sent)
  const counts = [...seen].toSorted(([a], [b]) => a - b).map(([status, count]) => `${count} × ${status}`)
  console.log(`${sent} inputs: the gateway survived, and nobody else noticed. Responses: ${counts.join(', ')}`)
}

function report(seed: number, { why, index, input }: Failure, sent: number): void {
  process.exitCode = 1
  console.error(`After ${sent} inputs, ${why}`)
  if (input === undefined) {
    console.error(`No single input does this. Repeat them all: npm run fuzz -- --seed ${seed} --inputs ${sent}`)
    return
  }
  mkdirSync(FOLDER, { recursive: true })
  const file = `${FOLDER}/seed-${seed}-input-${index}.json`
  writeFileSync(file, `${JSON.stringify({ why, input }, undefined, 2)}\n`)
  console.error(`Input ${index} did it. Repeat it: npm run fuzz -- --repeat ${file}`)
}

async function repeatSaved(file: string): Promise<void> {
  const { input } = JSON.parse(readFileSync(file, 'utf8')) as { input: Input }
  const why = await repeat(input)
  console.log(why ?? 'The gateway survived, and nobody else noticed')
  process.exitCode = why === undefined ? 0 : 1
}
