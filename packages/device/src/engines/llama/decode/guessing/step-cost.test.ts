import { describe, expect, it } from 'vitest'
import { createStepCost } from './step-cost.ts'

/** Steps that take 10 ms and `share` of that for each token. */
function learn(share: number, disturb: (ms: number, step: number) => number = (ms) => ms): number {
  const cost = createStepCost(false)
  for (let step = 0; step < 300; step++) {
    const tokens = step % 3 === 0 ? 1 : 1 + (step % 8)
    cost.learn(tokens, tokens > 1, disturb(10 * (1 + share * tokens), step))
  }
  return cost.of(9) / cost.of(1)
}

describe('the cost of a step', () => {
  it('follows what was measured', () => {
    for (const share of [0, 0.05, 0.3, 1]) expect(learn(share)).toBeCloseTo((1 + 9 * share) / (1 + share), 0)
  })

  it('is not upset by steps that something else held up', () => {
    const expected = learn(0.3)
    const disturbed = learn(0.3, (ms, step) => (step % 20 === 7 ? 5_000 : ms))
    expect(disturbed / expected).toBeGreaterThan(0.6)
    expect(disturbed / expected).toBeLessThan(1.6)
  })
})
