import { describe, expect, it } from 'vitest'
import { createStepCost } from './step-cost.ts'

const SIZES = [1, 2, 4, 8, 16, 32]

/** Learns steps that take `msOf`, all sizes in turns. */
function learn(msOf: (tokens: number, step: number) => number) {
  const cost = createStepCost('cuda')
  for (let step = 0; step < 300; step++) {
    const tokens = SIZES[step % SIZES.length]!
    cost.learn(tokens, msOf(tokens, step))
  }
  return cost
}

describe('the cost of a step', () => {
  it('is what was measured for its size, with all jumps', () => {
    const msOf = (tokens: number) => (tokens <= 8 ? 5 : 12)
    const cost = learn(msOf)
    for (const tokens of SIZES) expect(cost.of(tokens)).toBeCloseTo(msOf(tokens))
  })

  it('is in the usual ratio to a size that was measured', () => {
    const cost = createStepCost('cuda')
    const ratio = cost.of(9) / cost.of(1)
    expect(ratio).toBeGreaterThan(1)
    for (let step = 0; step < 5; step++) cost.learn(1, 10)
    expect(cost.of(9)).toBeCloseTo(10 * ratio)
  })

  it('is not upset by steps that something else held up', () => {
    const cost = learn((tokens, step) => (step % 60 === 3 ? 5_000 : 10))
    for (const tokens of SIZES) expect(cost.of(tokens)).toBeLessThan(15)
  })

  it('follows a change that was seen with another size', () => {
    const cost = learn((tokens) => (tokens <= 8 ? 5 : 12))
    for (let step = 0; step < 100; step++) cost.learn(1, 10)
    expect(cost.of(32)).toBeGreaterThan(14)
  })
})
