import { describe, expect, it } from 'vitest'
import { Random } from '../../random.ts'
import { EARLIEST_END, FASTEST_FREE, LEAST_BUSY, runPolicy, type FleetPolicy } from './policies.ts'
import { capacityOf, WORLDS, type Machine, type WorldRequest } from './worlds.ts'

const FAST = { slots: 1, msPerToken: 10, msPerCharacter: 1, beside: 0 }
const SLOW = { ...FAST, msPerToken: 100 }

function request(at: number, tokens: number, ...sizes: number[]): WorldRequest {
  const prefixes = sizes.map((size, turn) => ({ hash: turn, size }))
  return { at, tokens, promptSize: sizes.at(-1) ?? 0, prefixes }
}

function run(policy: FleetPolicy, devices: readonly Machine[], ...requests: readonly WorldRequest[]) {
  return runPolicy(policy, { ...WORLDS[0]!, devices }, requests)
}

function ends(...given: Parameters<typeof run>) {
  return run(...given).map(({ device, endAt }) => [device, Math.round(endAt!)])
}

describe('the earliest end', () => {
  it('waits for a fast device if that ends sooner', () => {
    const found = ends(EARLIEST_END, [SLOW, FAST], request(0, 10), request(1, 10), request(2, 1))
    expect(found).toEqual([
      [1, 100],
      [1, 200],
      [0, 102],
    ])
  })

  it('goes where the conversation was read', () => {
    const found = run(EARLIEST_END, [FAST, FAST], request(0, 100, 500), request(2_000, 10, 500, 600))
    expect(found.map(({ device, read }) => [device, read])).toEqual([
      [0, 500],
      [0, 100],
    ])
  })

  it('expects that jobs beside each other write slower', () => {
    const shared = { ...FAST, slots: 2, beside: 2 }
    const found = ends(EARLIEST_END, [shared, { ...FAST, msPerToken: 15 }], request(0, 10), request(0, 10))
    expect(found).toEqual([
      [0, 100],
      [1, 150],
    ])
  })
})

describe('the fastest free slot', () => {
  it('never waits while a slot is free', () => {
    const found = ends(FASTEST_FREE, [SLOW, FAST], request(0, 10), request(1, 10), request(2, 5))
    expect(found).toEqual([
      [1, 100],
      [0, 1_001],
      [1, 150],
    ])
  })
})

describe('the least busy device', () => {
  it('has the fewest jobs, and of several it is the one whose turn it is', () => {
    const devices = [{ ...SLOW, slots: 3 }, FAST]
    const found = ends(LEAST_BUSY, devices, request(0, 1), request(1, 1), request(2, 1), request(300, 1))
    expect(found.map(([device]) => device)).toEqual([0, 1, 0, 1])
  })
})

describe('a device', () => {
  it('writes slower with more jobs beside each other', () => {
    const device = { ...FAST, slots: 2, beside: 0.5 }
    // Five tokens alone, then both at two thirds of the speed, and the last five alone again.
    const found = ends(FASTEST_FREE, [device], request(0, 10), request(50, 10))
    expect(found.map(([, at]) => at)).toEqual([125, 175])
  })

  it('reads at its own speed, and the first token comes after that', () => {
    const [first] = run(FASTEST_FREE, [FAST], request(0, 10, 300))
    expect(first).toMatchObject({ firstAt: 310, endAt: 400 })
  })
})

describe.each(WORLDS)('$name', (world) => {
  it('gets the same requests for the same seed', () => {
    expect(draw(3)).toEqual(draw(3))
    expect(draw(3)).not.toEqual(draw(4))
  })

  it('carries what it is said to carry', () => {
    const placed = runPolicy(EARLIEST_END, world, draw(1))
    const waits = placed.map(({ request: { at }, endAt }) => endAt! - at)
    const [early, late] = [waits.slice(0, waits.length / 2), waits.slice(waits.length / 2)].map(sum)
    // The line doesn't grow.
    expect(late).toBeLessThan(1.5 * early!)
  })

  function draw(seed: number): WorldRequest[] {
    const requests: WorldRequest[] = []
    for (const each of world.requests(new Random(seed), 1 / (0.6 * capacityOf(world)))) {
      if (requests.push(each) === 1_000) break
    }
    return requests
  }
})

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
