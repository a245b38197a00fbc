import { describe, expect, it } from 'vitest'
import { WritingPace } from './writing-pace.ts'

describe('the time for a token', () => {
  it('is what the first answer took, with a tenth more for each job beside', () => {
    const pace = new WritingPace(5)
    expect(pace.isMeasured).toBe(false)
    pace.add(100, 2_000, 0)
    expect(pace.isMeasured).toBe(true)
    expect([pace.msPerToken(0), pace.msPerToken(3)]).toEqual([20, 26])
  })

  it('learns how much jobs beside each other slow a device', () => {
    const pace = new WritingPace(5)
    for (let count = 0; count < 400; count++) pace.add(100, 100 * (10 + 4 * (count % 4)), count % 4)
    expect(pace.msPerToken(0)).toBeCloseTo(10, 0)
    expect(pace.msPerToken(3)).toBeCloseTo(22, 0)
  })

  it('believes one answer far off only a little, and several in a row soon', () => {
    const pace = new WritingPace(5)
    for (let count = 0; count < 20; count++) pace.add(100, 1_000, 0)
    pace.add(100, 100_000, 0)
    expect(pace.msPerToken(0)).toBeLessThan(13)
    for (let count = 0; count < 20; count++) pace.add(100, 10_000, 0)
    expect(pace.msPerToken(0)).toBeGreaterThan(80)
  })
})
