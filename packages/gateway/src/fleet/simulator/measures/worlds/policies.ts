// What well-known policies would make of a fleet, computed: they know how fast every device is and how long every answer will be. A gateway
// is measured beside them.

import { SimulatedMachine, type PlacedRequest } from './simulated-machine.ts'
import type { World, WorldRequest } from './worlds.ts'

export interface FleetPolicy {
  name: string
  /** The place of the device that gets the job. Undefined: it waits, and the next slot that is free is for the first of those that wait. */
  choose(request: WorldRequest, devices: readonly SimulatedMachine[]): number | undefined
}

export const EARLIEST_END: FleetPolicy = {
  name: 'earliest end',
  choose: (request, devices) => leastOf(devices, (device) => [device.endOf(request)]),
}

export const FASTEST_FREE: FleetPolicy = {
  name: 'fastest free slot',
  choose: (request, devices) => leastOf(devices, (device) => (device.hasFree ? [device.endOf(request)] : undefined)),
}

/** The one with the fewest jobs, and of several the one that got its last job first. */
export const LEAST_BUSY: FleetPolicy = {
  name: 'least busy device',
  choose: (_, devices) =>
    leastOf(devices, ({ hasFree, taken, lastJobAt }) => (hasFree ? [taken, lastJobAt] : undefined)),
}

export const FLEET_POLICIES: readonly FleetPolicy[] = [EARLIEST_END, FASTEST_FREE, LEAST_BUSY]

/** All requests, in the order in which they arrived, with when they ended and where. */
export function runPolicy(policy: FleetPolicy, { devices }: World, requests: readonly WorldRequest[]): PlacedRequest[] {
  const run = new PolicyRun(policy, devices)
  for (const request of requests) run.arrive(request)
  run.pass(Number.POSITIVE_INFINITY)
  return run.requests
}

class PolicyRun {
  readonly requests: PlacedRequest[] = []
  readonly #policy: FleetPolicy
  readonly #devices: readonly SimulatedMachine[]
  readonly #waiting: PlacedRequest[] = []

  constructor(policy: FleetPolicy, devices: World['devices']) {
    this.#policy = policy
    this.#devices = devices.map((device) => new SimulatedMachine(device))
  }

  arrive(request: WorldRequest): void {
    this.pass(request.at)
    for (const device of this.#devices) device.pass(request.at)
    const placed = { request }
    this.requests.push(placed)
    this.#waiting.push(placed)
    this.#place()
  }

  /** Everything that happens until then. */
  pass(until: number): void {
    for (;;) {
      const next = Math.min(...this.#devices.map((device) => device.next))
      if (next > until || next === Number.POSITIVE_INFINITY) return
      for (const device of this.#devices) device.pass(next)
      this.#place()
    }
  }

  #place(): void {
    for (let first = this.#waiting[0]; first !== undefined; first = this.#waiting[0]) {
      const place = this.#policy.choose(first.request, this.#devices)
      if (place === undefined) return
      first.device = place
      this.#devices[place]!.add(first)
      this.#waiting.shift()
    }
  }
}

/** By the first number, and by the second where the first are equal. */
function leastOf<Item>(
  items: readonly Item[],
  measure: (item: Item) => readonly [number, number?] | undefined,
): number | undefined {
  const ranked = items.flatMap((item, place) => {
    const [first, second = 0] = measure(item) ?? []
    return first === undefined ? [] : [{ place, first, second }]
  })
  return ranked.toSorted((a, b) => a.first - b.first || a.second - b.second)[0]?.place
}
