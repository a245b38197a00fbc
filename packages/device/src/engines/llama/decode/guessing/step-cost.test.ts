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

  it('is a little more than that of the next smaller size until it was measured', () => {
    const cost = createStepCost('cuda')
    expect(cost.of(9)).toBeGreaterThan(cost.of(1))
    for (let step = 0; step < 5; step++) cost.learn(1, 10)
    expect(cost.of(9)).toBeGreaterThan(10)
    expect(cost.of(9)).toBeLessThan(15)
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

  it('is unknown again when it was not measured for long', () => {
    const cost = createStepCost('cuda')
    cost.learn(8, 1_000)
    for (let step = 0; step < 500; step++) cost.learn(1, 10)
    expect(cost.of(8)).toBeLessThan(20)
  })
})
