// Some faults of `npm run chaos`, once each.

import { afterAll, describe, expect, it } from 'vitest'
import { ChaosWorld } from './chaos/chaos-world.ts'
import { FAULTS } from './chaos/faults.ts'
import { runRound } from './chaos/run-chaos.ts'

/** `npm run chaos` has all of them. */
const NAMES = ['scheduler', 'home', 'nats', 'postgres', 'stop', 'everything']

const world = await ChaosWorld.start({ gateways: 3, devices: 6, slots: 4 })
afterAll(async () => world[Symbol.asyncDispose]())

describe('three gateways under load', () => {
  const faults = FAULTS.filter(({ name }) => NAMES.includes(name))
  it.each(faults)('lose, double and reorder nothing, and leak no slot: $what', async (fault) => {
    const { problems, ends } = await runRound(world, fault)
    expect(problems).toEqual([])
    expect(ends.get('done')).toBeGreaterThan(0)
  })
})
