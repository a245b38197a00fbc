// `npm run bench`: measures the tables in bench/README.md. Only ratios within one run are meaningful; absolute numbers depend on the machine.

import { parseArgs } from 'node:util'
import { printFleet } from './fleet/print-fleet.ts'
import { stopMeasuring } from './measuring/measure.ts'
import { printHostile } from './hostile/print-hostile.ts'
import type { BenchOptions, Measure } from './measure.ts'
import { MEASURES, MEASURES_OF_SEALING, MEASURES_OF_SEVERAL } from './measures.ts'
import { printProfiles } from './profile/print-profile.ts'
import { printPromises } from './promises/print-promises.ts'
import { printRow, printTable, type Row } from './report.ts'
import { Peers } from './systems/peers.ts'

const HELP = `npm run bench -- [--quick] [--rounds 10] [--processes 2] [--seconds 0.3] [--only <measure>,<measure>] [--with litellm,bifrost] [--against <checkout>]
npm run bench -- profile [--only whole,bursts,slow,sealed] [--out <folder>] [--against <checkout>]
npm run bench -- several [--quick] [--rounds 10] [--seconds 0.3] [--only <measure>,<measure>]
npm run bench -- sealed [--quick] [--only <measure>,<measure>]
npm run bench -- fleet [--only <part of a name>,…] [--seconds 60] [--seed 1] [--against <checkout>]
npm run bench -- hostile [--only <attack>,<attack>]
npm run bench -- promises

Compares the gateway with nginx and Portkey's gateway, all serving the same answer, and says which bars it meets.
Measures: ${namesOf(MEASURES)}; of several gateways: ${namesOf(MEASURES_OF_SEVERAL)}; of sealed requests: ${namesOf(MEASURES_OF_SEALING)}
"profile" shows where the gateway's time goes, "fleet" how long answers take on uneven devices, "hostile" how an attack slows down others, "promises" how soon Hearth recovers.
bench/README.md explains how.`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    processes: { type: 'string' },
    seconds: { type: 'string' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    with: { type: 'string' },
    against: { type: 'string' },
    out: { type: 'string', default: 'bench/results/profile' },
    help: { type: 'boolean', default: false },
  },
})
const only = values.only?.split(',')

if (values.help) console.log(HELP)
else await run(positionals[0])

async function run(command: string | undefined): Promise<void> {
  if (command === 'profile') return printProfiles({ folder: values.out, only, checkout: values.against })
  if (command === 'fleet') return runFleet()
  if (command === 'hostile') return printHostile(only)
  if (command === 'promises') return printPromises()
  if (command === 'sealed') return measureAll(MEASURES_OF_SEALING)
  await measureAll(command === 'several' ? MEASURES_OF_SEVERAL : MEASURES)
}

function runFleet(): Promise<void> {
  const { seconds = '60', seed, against } = values
  return printFleet({ only, seconds: Number(seconds), seed: Number(seed), against })
}

function namesOf(measures: readonly Measure[]): string {
  return measures.map(({ name }) => name).join(', ')
}

async function measureAll(measures: readonly Measure[]): Promise<void> {
  const startedAt = performance.now()
  const peers = new Peers(values.with?.split(',') ?? [])
  const rows: Row[] = []
  for (const measure of measures) {
    if (only && !only.includes(measure.name)) continue
    console.log(`\n${measure.name}`)
    const began = performance.now()
    const found = await measure.run(options(peers))
    found.forEach(printRow)
    console.log(`  (${Math.round((performance.now() - began) / 1_000)} s)`)
    rows.push(...found)
  }
  await peers.stop()
  stopMeasuring()
  printTable(rows)
  console.log(`It took ${((performance.now() - startedAt) / 60_000).toFixed(1)} minutes.`)
}

function options(peers: Peers): BenchOptions {
  const isQuick = values.quick
  return {
    rounds: Number(values.rounds ?? (isQuick ? 4 : 10)),
    processes: Number(values.processes ?? (isQuick ? 1 : 2)),
    seconds: Number(values.seconds ?? 0.3),
    warmUpSeconds: isQuick ? 3 : 4,
    isQuick,
    against: values.against,
    peers: () => peers.systems(),
  }
}
