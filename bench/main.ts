// `npm run bench`: measures the tables in bench/README.md. Only ratios within one run are meaningful; absolute numbers depend on the machine.

import { parseArgs } from 'node:util'
import { bytesPerLink, bytesPerStream } from './gateway/memory.ts'
import { measure, median, stopMeasuring, type Measurement } from './gateway/measure.ts'
import {
  startHearth,
  startNginx,
  startPortkey,
  startUpstream,
  type HearthOptions,
  type System,
} from './gateway/systems.ts'
import { TOKENS } from './gateway/tokens.ts'
import { printLoad } from './load/print-load.ts'
import { printHostile } from './hostile/print-hostile.ts'
import { printPromises } from './promises/print-promises.ts'

const HELP = `npm run bench -- [--rounds 5] [--seconds 2] [--only speed|growth|memory|load] [--against <checkout>]
npm run bench -- hostile [--only <attack>,<attack>]
npm run bench -- promises

Compares the gateway with nginx and Portkey's gateway, all serving the same answer.
"hostile" measures how an attack slows down others, "promises" how soon Hearth recovers. bench/README.md explains how.`

interface Scenario {
  name: string
  stream: boolean
  connections: number
}

const WHOLE: Scenario[] = [
  { name: 'whole reply, 1 client', stream: false, connections: 1 },
  { name: 'whole reply, 32 clients', stream: false, connections: 32 },
]
const STREAM: Scenario[] = [{ name: 'stream burst, 32 clients', stream: true, connections: 32 }]

/** Warm-up, so that no system is still compiling its code while it is measured. */
const WARM_UP = { connections: 32, seconds: 8 }

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    only: { type: 'string' },
    against: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
const rounds = Number(values.rounds)
const seconds = Number(values.seconds)

if (values.help) console.log(HELP)
else await run()

async function run(): Promise<void> {
  if (positionals[0] === 'hostile') return printHostile(values.only?.split(','))
  if (positionals[0] === 'promises') return printPromises()
  const isWanted = (part: string) => values.only === undefined || values.only === part
  if (isWanted('speed')) await printSpeed()
  if (isWanted('growth')) await printGrowth()
  if (isWanted('memory')) await printMemory()
  if (isWanted('load')) await printLoad(values.against)
  stopMeasuring()
}

async function printSpeed(): Promise<void> {
  const upstream = await startUpstream()
  const peers = [await startNginx(upstream), await startPortkey(upstream)].filter((peer) => peer !== undefined)
  for (const name of ['nginx', 'portkey'])
    if (!peers.some((peer) => peer.name === name)) console.log(`${name} is not installed on this machine: skipping it`)
  const whole = await startCheckouts('joined')
  await compare(WHOLE, [upstream, ...peers, ...whole])
  await Promise.all(whole.map((system) => system.stop()))
  const streams = [...(await startCheckouts('separate')), ...(await startCheckouts('together'))]
  await compare(STREAM, [upstream, ...peers, ...streams])
  await Promise.all([...streams, ...peers, upstream].map((system) => system.stop()))
}

/** This gateway, and with --against the one of another checkout. */
async function startCheckouts(frames: NonNullable<HearthOptions['frames']>): Promise<System[]> {
  const { against } = values
  const ours = await startHearth({ frames })
  return against === undefined ? [ours] : [ours, await startHearth({ frames, checkout: against })]
}

/** Rounds are interleaved, so that changes in the machine's load affect every system equally. */
async function compare(scenarios: readonly Scenario[], systems: readonly System[]): Promise<void> {
  for (const system of systems) await measure(system, { ...WARM_UP, stream: scenarios[0]!.stream })
  for (const scenario of scenarios) {
    const results = new Map(systems.map((system) => [system.name, [] as Measurement[]]))
    for (let round = 0; round < rounds; round++)
      for (const system of systems) results.get(system.name)!.push(await measure(system, { ...scenario, seconds }))
    printScenario(scenario, results)
  }
}

function printScenario({ name, stream }: Scenario, results: Map<string, Measurement[]>): void {
  console.log(`\n${name} (medians of ${rounds} rounds)`)
  const units = stream ? TOKENS.length : 1
  const of = (system: string, pick: (each: Measurement) => number) => median((results.get(system) ?? []).map(pick))
  const cost = (system: string) => of(system, (each) => each.cpuMicrosPerRequest) / units
  const p50 = (system: string) => of(system, (each) => each.firstByteP50) * 1000
  const p99 = (system: string) => of(system, (each) => each.firstByteP99) * 1000
  for (const system of results.keys()) {
    const failures = of(system, (each) => each.failures)
    const cells = [
      `${cost(system)
        .toFixed(stream ? 2 : 1)
        .padStart(7)} CPU µs/${stream ? 'chunk' : 'request'}`,
      `${(cost(system) / cost('nginx')).toFixed(2)} × nginx`,
      `${(cost(system) / cost('portkey')).toFixed(3)} × portkey`,
      `${of(system, (each) => each.requests / each.seconds).toFixed(0)} requests/s`,
      `added to the first byte: p50 ${(p50(system) - p50('upstream')).toFixed(0)} µs, p99 ${(p99(system) - p99('upstream')).toFixed(0)} µs`,
    ]
    console.log(`  ${system.padEnd(18)} ${cells.join(' · ')}${failures > 0 ? ` · ${failures} failed` : ''}`)
  }
}

async function printGrowth(): Promise<void> {
  const small = await startHearth()
  const large = await startHearth({ size: { keys: 10_000, devices: 1_000 } })
  const costs = { small: [] as number[], large: [] as number[] }
  const order = { stream: false, connections: 32, seconds }
  for (const system of [small, large]) await measure(system, { ...WARM_UP, stream: false })
  for (let round = 0; round < rounds; round++) {
    costs.small.push((await measure(small, order)).cpuMicrosPerRequest)
    costs.large.push((await measure(large, order)).cpuMicrosPerRequest)
  }
  const ratio = (median(costs.large) / median(costs.small)).toFixed(2)
  console.log(
    `\ngrowth: CPU per request with 1,000 devices and 10,000 keys is ${ratio} × that with one of each (target: 1.1)`,
  )
  await Promise.all([small.stop(), large.stop()])
}

async function printMemory(): Promise<void> {
  console.log(`\nmemory per open stream: ${kib(await bytesPerStream(500))} (target: 25 KB)`)
  console.log(`memory per idle link:   ${kib(await bytesPerLink(500))} (target: 12 KB)`)
}

function kib(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KB`
}
