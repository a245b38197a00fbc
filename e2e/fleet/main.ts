// `npm run chaos`: gateways, NATS and PostgreSQL are killed, suspended and cut off under load, and every reply has to be exact.

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { beginCommand } from '../harness/command.ts'
import { readCount } from '../harness/read-number.ts'
import { ChaosWorld } from './chaos/chaos-world.ts'
import { FAULTS, type Fault } from './chaos/faults.ts'
import { runRound } from './chaos/run-chaos.ts'
import { Tally } from './chaos/tally.ts'

const HELP = `Kills, suspends and cuts off gateways, NATS and PostgreSQL under load, and checks every reply.

  npm run chaos -- [--gateways N] [--each N] [--only NAME]… [--logs FOLDER]

  --gateways N   how many gateways there are, at least 3 (default 3)
  --each N       rounds of each fault (default 5)
  --logs FOLDER  keeps what the gateways print
  --only NAME    only this fault: ${FAULTS.map(({ name }) => name).join(', ')}`

const { values } = parseArgs({
  options: {
    gateways: { type: 'string' },
    each: { type: 'string' },
    logs: { type: 'string' },
    only: { type: 'string', multiple: true },
    help: { type: 'boolean', short: 'h' },
  },
})
beginCommand()

if (values.help) console.log(HELP)
else await run()

async function run(): Promise<void> {
  const each = readCount('each', values.each, 1) ?? 5
  const faults = values.only?.map(findFault) ?? FAULTS
  const tally = new Tally()
  await using world = await ChaosWorld.start({
    gateways: readCount('gateways', values.gateways, 1) ?? 3,
    devices: 6,
    slots: 4,
  })
  try {
    for (let round = 1; round <= each; round++) for (const fault of faults) await play(world, fault, round, tally)
  } catch (error) {
    console.log(`stopped: ${String(error)}`)
    process.exitCode = 1
  }
  if (values.logs !== undefined) await writeLogs(world, values.logs)
  console.log(`\n${tally.print()}`)
  if (tally.problems + tally.misses > 0) process.exitCode = 1
}

async function play(world: ChaosWorld, fault: Fault, round: number, tally: Tally): Promise<void> {
  const result = await runRound(world, fault)
  tally.add(result)
  const measures = Object.entries(result.measures).map(([name, ms]) => `${name} ${(ms / 1_000).toFixed(2)} s`)
  console.log(`${fault.name} ${round}: ${measures.join(', ')}`)
  for (const problem of result.problems) console.log(`  ${problem}`)
}

async function writeLogs({ fleet }: ChaosWorld, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const [index, replica] of fleet.replicas.entries())
    await writeFile(join(folder, `gateway-${index}.log`), replica.output())
}

function findFault(name: string): Fault {
  const fault = FAULTS.find((one) => one.name === name)
  if (fault === undefined) throw new Error(`There is no fault "${name}"`)
  return fault
}
