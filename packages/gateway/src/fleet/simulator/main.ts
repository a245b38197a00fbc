// `npm run simulate`: runs gateways in random worlds until one breaks a promise or all steps are done.

import { parseArgs } from 'node:util'
import { printForecasts } from './measures/print-forecasts.ts'
import { printLoads } from './measures/worlds/print-loads.ts'
import { shrink } from './shrink.ts'
import { simulate, simulatePeers, type Simulation, type SimulationOptions } from './simulate.ts'
import { Violation } from './violation.ts'
import type { WorldOptions } from './world.ts'

const HELP = `Runs gateways with devices and clients in random worlds, and checks their promises at every step.

  npm run simulate -- [--steps N] [--seed S] [--seeds K]
  npm run simulate -- --gateways G [--orderly | --one-server | --only-devices] [--seed S] [--seeds K]
  npm run simulate -- --peers [--steps N] [--seed S] [--seeds K]
  npm run simulate -- --forecasts [--seed S]
  npm run simulate -- --loads [--seed S] [--seeds K]

  --gateways G how many gateways (default 1); several of them stop, die and are cut off
  --steps N    steps per world of one gateway (default 1000000), or of peers (default 20000)
  --seed S     the first seed (default 1)
  --seeds K    how many seeds in a row (default 1)
  --orderly    only gateways without clients and devices fail, so that no job may notice
  --only-devices only links of devices are cut, so that every offer of a job can be counted
  --one-server the bus is one server, and everything dies at once again and again
  --peers      only how gateways agree on who schedules what, through every failure of bus and database
  --forecasts  compare the expected time to first token with the real one, on several loads
  --loads      compare how long answers take with what the machines could do, on uneven and equal fleets`

/** Run before measuring: until then, compiling takes a large part of the time. What was compiled for the objects of one world is thrown away in the next. */
const WARM_UP_STEPS = 125_000
const WARM_UP_WORLDS = 8
const WORLDS_BETWEEN_LINES = 100

function readCount(value: string, name: string): number {
  const count = Number(value)
  if (!Number.isSafeInteger(count) || count < 0)
    throw new Error(`Cannot read --${name} "${value}": give a whole number`)
  return count
}

async function runLone(seed: number, steps: number): Promise<void> {
  const start = process.cpuUsage()
  const done = await simulate({ seed, steps, gateways: 1 })
  const { user, system } = process.cpuUsage(start)
  const speed = Math.round(done.steps / ((user + system) / 1e6))
  const ends = [...done.outcomes]
    .map(([kind, count]) => `${kind} ${count}`)
    .toSorted()
    .join(', ')
  console.log(`seed ${seed}: ${done.steps} steps, ${speed} steps per CPU second, hash ${done.hash}`)
  console.log(
    `  ${done.submitted} jobs, ${done.delivered} events, ${Math.round(done.virtualMs / 1000)} virtual seconds: ${ends}`,
  )
  console.log(`  ${done.hedges.offered} second offers, ${done.hedges.won} of them accepted first`)
}

/** Shows the steps of the first world that breaks a promise. */
async function runSeveral(options: WorldOptions, first: number, seeds: number): Promise<void> {
  const total = { worlds: 0, virtualMs: 0, submitted: 0, delivered: 0 }
  for (let seed = first; seed < first + seeds; seed++) {
    const run = await runOne({ ...options, seed })
    total.worlds += 1
    total.virtualMs += run.virtualMs
    total.submitted += run.submitted
    total.delivered += run.delivered
    if (total.worlds % WORLDS_BETWEEN_LINES === 0 || total.worlds === seeds)
      console.log(
        `${total.worlds} worlds of ${options.gateways} gateways: ${total.submitted} jobs, ${total.delivered} events, ${Math.round(total.virtualMs / 1_000)} virtual seconds`,
      )
  }
}

async function runOne(options: SimulationOptions): Promise<Simulation> {
  try {
    return await simulate(options)
  } catch (error) {
    if (!(error instanceof Violation)) throw error
    console.error(`Seed ${options.seed} breaks a promise: looking for the least trouble that does...`)
    const { message, plan } = await shrink(options)
    const troubles = plan.map(({ at, kind, ms }) => `${kind} at ${at} ms for ${ms} ms`)
    throw new Violation(`${message}\nIt takes ${plan.length} troubles: ${troubles.join(', ')}`, { cause: error.cause })
  }
}

function runPeers(first: number, seeds: number, steps: number): void {
  for (let seed = first; seed < first + seeds; seed++) {
    const { virtualMs, generation, settledMs } = simulatePeers({ seed, steps })
    const seconds = Math.round(virtualMs / 1_000)
    console.log(
      `seed ${seed}: ${seconds} virtual seconds, ${generation} views, settled after ${Math.round(settledMs)} ms`,
    )
  }
}

async function main(): Promise<void> {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    options: {
      steps: text,
      seed: { ...text, default: '1' },
      seeds: { ...text, default: '1' },
      gateways: { ...text, default: '1' },
      orderly: { type: 'boolean' },
      'one-server': { type: 'boolean' },
      'only-devices': { type: 'boolean' },
      peers: { type: 'boolean' },
      forecasts: { type: 'boolean' },
      loads: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return console.log(HELP)
  const steps = readCount(values.steps ?? (values.peers ? '20000' : '1000000'), 'steps')
  const first = readCount(values.seed, 'seed')
  const seeds = readCount(values.seeds, 'seeds')
  const gateways = readCount(values.gateways, 'gateways')
  if (values.peers) return runPeers(first, seeds, steps)
  if (values.forecasts) return printForecasts(first)
  if (values.loads) return printLoads(first, seeds)
  const sort = (['orderly', 'one-server', 'only-devices'] as const).find((name) => values[name]) ?? 'several'
  if (gateways > 1) return runSeveral({ gateways, sort }, first, seeds)
  for (let world = 0; world < WARM_UP_WORLDS; world++)
    await simulate({ gateways, seed: first + world, steps: Math.min(steps, WARM_UP_STEPS) })
  for (let seed = first; seed < first + seeds; seed++) await runLone(seed, steps)
}

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  if (error instanceof Violation) console.error(error.cause instanceof Error ? error.cause.stack : '')
  process.exitCode = 1
}
