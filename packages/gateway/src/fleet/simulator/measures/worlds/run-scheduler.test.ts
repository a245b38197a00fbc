import { expect, it } from 'vitest'
import { Random } from '../../random.ts'
import { timesOf } from './answer-times.ts'
import { EARLIEST_END, runPolicy } from './policies.ts'
import { runScheduler } from './run-scheduler.ts'
import type { PlacedRequest } from './simulated-machine.ts'
import { capacityOf, WORLDS, type World, type WorldRequest } from './worlds.ts'

const REQUESTS = 1_500
/** Those before teach the scheduler how fast devices are. */
const FIRST = 300

it.each([
  [0.1, 1.1, 1.2],
  [0.5, 1.15, 1.3],
  [0.8, 1.2, 1.4],
])('uneven devices with a load of %d answer nearly as soon as they could', (load, mean, p95) => {
  const world = WORLDS[0]!
  const requests = draw(world, load)
  const [own, best] = [runScheduler(world, requests), runPolicy(EARLIEST_END, world, requests)].map(measure)
  expect(own!.mean / best!.mean).toBeLessThan(mean)
  expect(own!.p95 / best!.p95).toBeLessThan(p95)
})

function draw(world: World, load: number): WorldRequest[] {
  const requests: WorldRequest[] = []
  for (const each of world.requests(new Random(1), 1 / (load * capacityOf(world))))
    if (requests.push(each) === REQUESTS) break
  return requests
}

function measure(run: readonly PlacedRequest[]) {
  return timesOf(
    run.slice(FIRST).map(({ request: { at }, firstAt, endAt }) => ({ first: firstAt! - at, end: endAt! - at })),
  )
}
