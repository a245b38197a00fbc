// Devices fail in the middle of replies: a few here, many with `npm run faults`.

import { expect, inject, it } from 'vitest'
import { TINY } from './continued/kinds.ts'
import { RealRuns } from './continued/real-runs.ts'
import { runScripted } from './continued/scripted-runs.ts'
import { Tally } from './continued/tally.ts'

const SEED = 7
const SCRIPTED = inject('isLongRun') ? 5_000 : 200
const REAL = inject('isLongRun') ? 20 : 8
const REAL_SEEDS = inject('isLongRun') ? [7, 8] : [7]

it(`[S60] ${SCRIPTED} replies are complete although their devices fail up to three times each`, async () => {
  const { problems, continuedReplies } = await runScripted({ runs: SCRIPTED, seed: SEED })
  expect(problems).toEqual([])
  expect(continuedReplies).toBeGreaterThan(SCRIPTED / 2)
})

it.each(REAL_SEEDS)(
  `[S60] ${REAL} replies of real devices are what they would have been without faults (seed %i)`,
  async (seed) => {
    await using runs = await RealRuns.start({ model: TINY, devices: 3, seed })
    const tally = new Tally()
    for (let index = 0; tally.all.runs < REAL; index++) {
      const run = await runs.run(index)
      tally.add(run)
      expect([index, run.kind, run.faults, run.problem]).toEqual([index, run.kind, run.faults, undefined])
    }
  },
)
