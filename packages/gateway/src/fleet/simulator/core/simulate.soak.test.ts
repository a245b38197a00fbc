import { expect, inject, it } from 'vitest'
import { simulate } from './simulate.ts'

const STEPS = inject('isLongRun') ? 500_000 : 20_000

it.each([1, 2, 3, 4, 5, 6, 7, 8])(
  `[S39] [S39a] [S39b] [S39c] [S39d] [S39e] the scheduler keeps every promise for ${STEPS} random steps of seed %i and comes to rest`,
  (seed) => {
    const { submitted, outcomes, steps, hedges } = simulate({ seed, steps: STEPS })
    expect(hedges.won).toBeGreaterThan(0)
    expect(steps).toBeGreaterThanOrEqual(STEPS)
    expect([...outcomes.values()].reduce((sum, count) => sum + count, 0)).toBe(submitted)
  },
)
