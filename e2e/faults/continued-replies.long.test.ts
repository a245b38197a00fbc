// Devices fail in the middle of replies: a few here, many with `npm run faults`.

import { expect, it } from 'vitest'
import { runScripted } from './continued/scripted-runs.ts'

const SEED = 7
const RUNS = 5_000

it(`[S60] ${RUNS} replies are complete although their devices fail up to three times each`, async () => {
  const { problems, continuedReplies } = await runScripted({ runs: RUNS, seed: SEED })
  expect(problems).toEqual([])
  expect(continuedReplies).toBeGreaterThan(RUNS / 2)
})
