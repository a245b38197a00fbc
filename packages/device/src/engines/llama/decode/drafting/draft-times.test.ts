import { describe, expect, it } from 'vitest'
import { DraftTimes } from './draft-times.ts'

describe('the times of a draft', () => {
  it('let a step become a quarter longer for reading', () => {
    const times = new DraftTimes(false)
    expect(times.piece(100)).toBe(64)
    times.learn(64, 1, 64)
    expect(times.piece(200)).toBe(50)
    expect(times.piece(0)).toBe(16)
  })

  it('allow a hundredth of the time of all steps to be wasted', () => {
    const times = new DraftTimes(false)
    times.learn(1, 1, 10)
    times.learn(64, 1, 64)
    for (let step = 0; step < 10; step++) times.onStep(150)
    expect(times.canWaste(1)).toBe(true)
    expect(times.canWaste(10)).toBe(false)
    times.waste(11)
    expect(times.canWaste(1)).toBe(false)
  })

  it('take no single decode that was held up at its word', () => {
    const times = new DraftTimes('cuda')
    times.learn(1, 1, 10)
    times.learn(1, 1, 10_000)
    expect(times.decodeMs).toBe(12)
  })
})
