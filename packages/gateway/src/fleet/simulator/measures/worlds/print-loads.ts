// `npm run simulate -- --loads`: how long answers take beside what the machines could do.

import { Random } from '../../random.ts'
import { timesOf, type AnswerTimes } from './answer-times.ts'
import { FLEET_POLICIES, runPolicy } from './policies.ts'
import { runScheduler } from './run-scheduler.ts'
import type { PlacedRequest } from './simulated-machine.ts'
import { capacityOf, WORLDS, type World, type WorldRequest } from './worlds.ts'

/** Requests that come earlier teach the scheduler. */
const WARM_UP_MS = 30_000
const MEASURED_MS = 60_000

interface Policy {
  name: string
  run: (world: World, requests: readonly WorldRequest[]) => PlacedRequest[]
}

/** The first is what the others are compared with. */
const POLICIES: readonly Policy[] = [
  ...FLEET_POLICIES.map((policy) => ({
    name: policy.name,
    run: (world: World, requests: readonly WorldRequest[]) => runPolicy(policy, world, requests),
  })),
  { name: 'Hearth', run: runScheduler },
]

export function printLoads(seed: number, seeds: number): void {
  console.log(
    'seconds to the end: mean, p95, longest; the same by those of the earliest end; mean to the first token; what is read of prompts',
  )
  for (const world of WORLDS) {
    console.log(world.name)
    for (const load of world.loads) printLoad(world, load, seed, seeds)
  }
}

function printLoad(world: World, load: number, seed: number, seeds: number): void {
  const arrivals = Array.from({ length: seeds }, (_, index) => drawRequests(world, load, seed + index))
  let best: AnswerTimes | undefined
  for (const { name, run } of POLICIES) {
    const runs = arrivals.map((requests) => run(world, requests).filter(({ request }) => request.at > WARM_UP_MS))
    // The longest is that of a usual run.
    const times = { ...timesOf(runs.flat().map(timesFrom)), longest: meanOf(runs.map(longestOf)) }
    best ??= times
    console.log(
      `  ${`${100 * load} %`.padStart(5)}  ${name.padEnd(18)} ${format(times, best)}  ${readPart(runs.flat())}`,
    )
  }
}

function drawRequests(world: World, load: number, seed: number): WorldRequest[] {
  const requests: WorldRequest[] = []
  for (const request of world.requests(new Random(seed), 1 / (load * capacityOf(world)))) {
    if (request.at > WARM_UP_MS + MEASURED_MS) break
    requests.push(request)
  }
  return requests
}

function timesFrom({ request, firstAt = 0, endAt = 0 }: PlacedRequest): { first: number; end: number } {
  return { first: firstAt - request.at, end: endAt - request.at }
}

function longestOf(run: readonly PlacedRequest[]): number {
  return timesOf(run.map(timesFrom)).longest
}

function readPart(run: readonly PlacedRequest[]): string {
  const sum = (pick: (one: PlacedRequest) => number) => run.reduce((total, one) => total + pick(one), 0)
  return `${((100 * sum(({ read = 0 }) => read)) / sum(({ request }) => request.promptSize)).toFixed(0)} %`
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function format({ mean, p95, longest, first }: AnswerTimes, best: AnswerTimes): string {
  const seconds = [mean, p95, longest].map((ms) => (ms / 1_000).toFixed(2).padStart(6))
  const ratios = [mean / best.mean, p95 / best.p95, longest / best.longest].map((one) => one.toFixed(2).padStart(5))
  return [...seconds, ' ', ...ratios, ' ', (first / 1_000).toFixed(3)].join(' ')
}
