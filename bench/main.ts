// npm run bench: the table of bench/README.md with today's figures. Ratios within one run count; absolute numbers move with the machine.

import { parseArgs } from 'node:util'
import { bytesPerLink, bytesPerStream } from './gateway/memory.ts'
import { measure, median, stopMeasuring, type Measurement } from './gateway/measure.ts'
import { startHearth, startNginx, startPortkey, startUpstream, type System } from './gateway/systems.ts'
import { TOKENS } from './gateway/tokens.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  console.log('npm run bench -- [--rounds 5] [--seconds 2]\n\nMeasures the gateway beside nginx and Portkey\'s gateway in front of the same answer: bench/README.md says how.')
  process.exit(0)
}
const rounds = Number(values.rounds)
const seconds = Number(values.seconds)

const SCENARIOS = [
  { name: 'whole reply, 1 client', stream: false, connections: 1 },
  { name: 'whole reply, 32 clients', stream: false, connections: 32 },
  { name: 'stream burst, 32 clients', stream: true, connections: 32 },
] as const

type Results = Map<string, Measurement[]>

const upstream = await startUpstream()
const systems = [upstream, await startNginx(upstream), await startPortkey(upstream), await startHearth(), await startHearth({ frames: 'together' })].filter((system) => system !== undefined)
for (const name of ['nginx', 'portkey']) if (!systems.some((system) => system.name === name)) console.log(`${name}: missing on this machine, its column is left out`)

const results = await measureAll(systems)
for (const scenario of SCENARIOS) printScenario(scenario, results)
await Promise.all(systems.map((system) => system.stop()))
await printGrowth()
console.log(`\nmemory per open stream    ${kib(await bytesPerStream(500))}   (bar: at most 25 KB)`)
console.log(`memory per idle link      ${kib(await bytesPerLink(500))}   (bar: at most 12 KB)`)
stopMeasuring()

async function measureAll(under: readonly System[]): Promise<Results> {
  const results: Results = new Map()
  for (const system of under) for (const scenario of SCENARIOS) await measure(system, { ...scenario, seconds: 1 })
  for (let round = 0; round < rounds; round++)
    for (const scenario of SCENARIOS)
      for (const system of under) keep(results, `${scenario.name} ${system.name}`, await measure(system, { ...scenario, seconds }))
  return results
}

function keep(results: Results, name: string, measurement: Measurement): void {
  results.set(name, [...(results.get(name) ?? []), measurement])
}

function printScenario({ name, stream }: (typeof SCENARIOS)[number], results: Results): void {
  console.log(`\n${name} (medians of ${rounds} rounds)`)
  const of = (system: string, pick: (each: Measurement) => number) => median((results.get(`${name} ${system}`) ?? []).map(pick))
  const floorP50 = of('upstream', (each) => each.firstByteP50)
  const floorP99 = of('upstream', (each) => each.firstByteP99)
  const perUnit = (system: string) => of(system, (each) => each.cpuMicrosPerRequest) / (stream ? TOKENS.length : 1)
  for (const system of systems) {
    const failures = of(system.name, (each) => each.failures)
    const cells = [
      `${perUnit(system.name).toFixed(stream ? 2 : 1)} CPU µs/${stream ? 'chunk' : 'request'}`,
      `${(perUnit(system.name) / perUnit('nginx')).toFixed(2)} × nginx`,
      `${(perUnit(system.name) / perUnit('portkey')).toFixed(3)} × portkey`,
      `${of(system.name, (each) => each.requests / each.seconds).toFixed(0)} requests/s`,
      `added first byte p50 ${(1000 * (of(system.name, (each) => each.firstByteP50) - floorP50)).toFixed(0)} µs, p99 ${(1000 * (of(system.name, (each) => each.firstByteP99) - floorP99)).toFixed(0)} µs`,
    ]
    console.log(`  ${system.name.padEnd(24)} ${cells.join(' · ')}${failures > 0 ? ` · ${failures} failed` : ''}`)
  }
}

async function printGrowth(): Promise<void> {
  const small = await startHearth()
  const large = await startHearth({ size: { keys: 10_000, devices: 1_000 } })
  const costs: Results = new Map()
  for (let round = 0; round < rounds; round++)
    for (const [name, system] of [['small', small], ['large', large]] as const)
      keep(costs, name, await measure(system, { stream: false, connections: 32, seconds }))
  const cost = (name: string) => median((costs.get(name) ?? []).map((each) => each.cpuMicrosPerRequest))
  console.log(`\ngrowth: CPU per request with 1,000 devices and 10,000 keys ÷ with 1 and 1   ${(cost('large') / cost('small')).toFixed(2)}   (bar: at most 1.1)`)
  await Promise.all([small.stop(), large.stop()])
}

function kib(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KB`
}
