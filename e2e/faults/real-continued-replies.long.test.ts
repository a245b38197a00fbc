// Real device apps fail in the middle of replies: a few here, many with `npm run faults`.

import { expect, it } from 'vitest'
import { TINY } from './continued/kinds.ts'
import { RealRuns } from './continued/real-runs.ts'
import { Tally } from './continued/tally.ts'

const SEED = 7
const RUNS = 14

it(
  `${RUNS} replies of real devices are what they would have been without faults`,
  async () => {
    await using runs = await RealRuns.start({ model: TINY, devices: 3, seed: SEED })
    const tally = new Tally()
    for (let index = 0; tally.all.runs < RUNS; index++) {
      const run = await runs.run(index)
      tally.add(run)
      expect([index, run.kind, run.faults, run.problem]).toEqual([index, run.kind, run.faults, undefined])
    }
  },
  // Every fault starts an engine again, and on a busy machine each start takes many times longer.
  900_000,
)
