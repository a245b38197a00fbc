// `npm run faults`: devices fail in the middle of replies, and every client has to get the reply that it would have got without that.

import { parseArgs } from 'node:util'
import { beginCommand } from '../harness/command.ts'
import { readCount } from '../harness/read-number.ts'
import { measureSeams, type Seam } from './continued/measure-seams.ts'
import { starterModel, TINY, type TestedModel } from './continued/kinds.ts'
import { RealRuns } from './continued/real-runs.ts'
import { Tally } from './continued/tally.ts'

const HELP = `Kills, freezes, drains and cuts off devices in the middle of replies, and compares each reply with an undisturbed one.

  npm run faults -- [--runs N] [--model tiny|starter] [--devices 2|3] [--seed S]
  npm run faults -- --seams N

  --runs N       real device apps, until N replies were continued by another device (default 20)
  --model M      the model of the repository, or the starter model in the file HEARTH_STARTER_GGUF (default tiny)
  --devices D    how many device apps there are (default 3)
  --seed S       the same seed gives the same faults (default 1)
  --seams N      how long the client waits when a device is killed, N times`

const SEAM_PARTS: readonly [keyof Seam, string][] = [
  ['gapMs', 'gap between two chunks, after the device was killed'],
  ['offeredMs', '  until the other device got the job'],
  ['answeredMs', '  from there until it answered'],
  ['readMs', '  from there until the next token'],
  ['firstTokenMs', 'first token of a request as new to its device'],
]

const text = { type: 'string' } as const
const { values } = parseArgs({
  options: {
    runs: text,
    seed: text,
    model: text,
    devices: text,
    seams: text,
    help: { type: 'boolean', short: 'h' },
  },
})
const seed = readCount('seed', values.seed) ?? 1
beginCommand()

if (values.help) console.log(HELP)
else if (values.seams !== undefined) await printSeams(readCount('seams', values.seams) ?? 0)
else await runReal(readCount('runs', values.runs) ?? 20)

async function runReal(wanted: number): Promise<void> {
  const devices = readCount('devices', values.devices) ?? 3
  await using runs = await RealRuns.start({ model: readModel(values.model), devices, seed })
  const tally = new Tally()
  for (let index = 0; tally.all.runs < wanted; index++) {
    const run = await runs.run(index)
    tally.add(run)
    const { kind, faults, seams, problem = '' } = run
    console.log(`${tally.all.runs}/${wanted} run ${index}: ${kind}, ${faults.join(', ')}, ${seams} seams ${problem}`)
  }
  console.log(`\n${tally.print()}`)
  if (tally.all.problems > 0) process.exitCode = 1
}

async function printSeams(runs: number): Promise<void> {
  const seams: Seam[] = []
  for await (const seam of measureSeams(starterModel() ?? TINY, runs)) {
    seams.push(seam)
    console.log(SEAM_PARTS.map(([part]) => `${part} ${seam[part].toFixed(0)}`).join(', '))
  }
  for (const [part, name] of SEAM_PARTS) {
    const sorted = seams.map((seam) => seam[part]).toSorted((a, b) => a - b)
    const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)]!.toFixed(0)
    console.log(`${name.padEnd(52)} median ${at(0.5)} ms, longest ${at(1)} ms`)
  }
}

function readModel(name = 'tiny'): TestedModel {
  if (name === 'tiny') return TINY
  const starter = name === 'starter' ? starterModel() : undefined
  if (starter === undefined)
    throw new Error('Give --model tiny, or --model starter with its file in HEARTH_STARTER_GGUF')
  return starter
}
