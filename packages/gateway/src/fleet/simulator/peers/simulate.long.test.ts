import { expect, it } from 'vitest'
import { simulatePeers } from './simulate.ts'

const WORLDS = 150

it.each([1, 2, 3, 4])(
  `[N40] [N41] [N43] no organization ever has two schedulers, and soon after the faults every one has one (${WORLDS} random worlds of series %i)`,
  (series) => {
    let scheduledWithoutDatabase = 0
    for (let world = 0; world < WORLDS; world++)
      scheduledWithoutDatabase += simulatePeers({
        seed: series * 10_000 + world,
        steps: 20_000,
      }).scheduledWithoutDatabase
    expect(scheduledWithoutDatabase).toBeGreaterThan(0)
  },
)
