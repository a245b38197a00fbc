// `npm run simulate`: runs the scheduler, or several gateways, in random worlds until it breaks a promise or all steps are done.

import { parseArgs } from 'node:util'
import { runGateways } from './run-gateways.ts'
import { printForecasts } from './core/print-forecasts.ts'
import { simulate } from './core/simulate.ts'
import { Violation } from './violation.ts'

const HELP = `Runs the scheduler in random worlds and checks its promises at every step.

  npm run simulate -- [--steps N] [--seed S] [--seeds K]
  npm run simulate -- --gateways G [--orderly] [--seed S] [--seeds K]
  npm run simulate -- --forecasts [--seed S]

  --steps N    steps per world (default 1000000)
  --seed S     the first seed (default 1)
  --seeds K    how many seeds in a row (default 1)
  --gateways G simulate a service of this many gateways that fail, with devices and clients (steps don't count)
  --orderly    only gateways without clients and devices fail, so that no job may notice
  --forecasts  compare the expected time to first token with the real one, on several loads`

/** Run before measuring: until then, compiling takes most of the time. */
const WARM_UP_STEPS = 100_000

function readCount(value: string, name: string): number {
  const count = Number(value)
  if (!Number.isSafeInteger(count) || count < 0)
    throw new Error(`Cannot read --${name} "${value}": give a whole number`)
  return count
}

function run(seed: number, steps: number): void {
  const start = process.cpuUsage()
  const done = simulate({ seed, steps })
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

async function main(): Promise<void> {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    options: {
      steps: text,
      seed: text,
      seeds: text,
      gateways: text,
      orderly: { type: 'boolean', default: false },
      forecasts: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return console.log(HELP)
  const steps = readCount(values.steps ?? '1000000', 'steps')
  const first = readCount(values.seed ?? '1', 'seed')
  const seeds = readCount(values.seeds ?? '1', 'seeds')
  if (values.forecasts) return printForecasts(first)
  if (values.gateways) {
    const gateways = readCount(values.gateways, 'gateways')
    return runGateways({ gateways, isOrderly: values.orderly }, first, seeds)
  }
  simulate({ seed: first, steps: Math.min(steps, WARM_UP_STEPS) })
  for (let seed = first; seed < first + seeds; seed++) run(seed, steps)
}

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  if (error instanceof Violation) console.error(error.cause instanceof Error ? error.cause.stack : '')
  process.exitCode = 1
}
