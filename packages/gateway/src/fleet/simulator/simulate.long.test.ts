import { expect, it } from 'vitest'
import { simulate, simulatePeers } from './simulate.ts'

const STEPS = 500_000
const WORLDS = 110
const PEER_WORLDS = 150

it.each([1, 2, 3, 4, 5, 6, 7, 8])(
  `a gateway keeps every promise for ${STEPS} random steps of seed %i and comes to rest`,
  async (seed) => {
    const { submitted, outcomes, steps, hedges } = await simulate({ seed, gateways: 1, steps: STEPS })
    expect(hedges.won).toBeGreaterThan(0)
    expect(steps).toBeGreaterThanOrEqual(STEPS)
    expect([...outcomes.values()].reduce((sum, count) => sum + count, 0)).toBe(submitted)
  },
)

it.each([2, 3, 4])(`%i gateways keep every promise in ${WORLDS} random worlds, and come to rest`, async (gateways) => {
  const outcomes = new Map<string, number>()
  for (let world = 0; world < WORLDS; world++) {
    const run = await simulate({ seed: gateways * 10_000 + world, gateways })
    for (const [outcome, count] of run.outcomes) outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + count)
  }
  expect(outcomes.get('ended')).toBeGreaterThan(WORLDS * 5)
  expect(outcomes.get('device-lost')).toBeGreaterThan(0)
})

it(`3 gateways work again within 10 seconds after everything died at once, in ${WORLDS} random worlds`, async () => {
  for (let world = 0; world < WORLDS; world++) await simulate({ seed: 60_000 + world, gateways: 3, sort: 'one-server' })
})

it(`[H82i] 3 gateways count every offer that reached a device, and no other, in ${WORLDS} random worlds`, async () => {
  for (let world = 0; world < WORLDS; world++)
    await simulate({ seed: 70_000 + world, gateways: 3, sort: 'only-devices' })
})

it(`no job of 4 gateways notices in ${WORLDS} orderly worlds that gateways without clients and devices fail`, async () => {
  for (let world = 0; world < WORLDS; world++) await simulate({ seed: 50_000 + world, gateways: 4, sort: 'orderly' })
})

it.each([1, 2, 3, 4])(
  `no organization ever has two schedulers, and soon after the faults every one has one (${PEER_WORLDS} random worlds of series %i)`,
  async (series) => {
    let scheduledWithoutDatabase = 0
    for (let world = 0; world < PEER_WORLDS; world++) {
      const seed = series * 10_000 + world
      scheduledWithoutDatabase += simulatePeers({ seed, steps: 20_000 }).scheduledWithoutDatabase
    }
    expect(scheduledWithoutDatabase).toBeGreaterThan(0)
  },
)
