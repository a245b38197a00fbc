import { describe, expect, it } from 'vitest'
import { niceTicks } from './nice-ticks.ts'

describe('niceTicks', () => {
  it.each([
    [220, [0, 100, 200, 300]],
    [165, [0, 50, 100, 150, 200]],
    [3, [0, 1, 2, 3]],
    [1, [0, 1]],
    [0, [0, 1]],
    [7_500_000, [0, 2_000_000, 4_000_000, 6_000_000, 8_000_000]],
  ])('labels an axis up to %d with %j', (most, ticks) => {
    expect(niceTicks(most)).toStrictEqual(ticks)
  })

  it('uses parts of one where values are small', () => {
    expect(niceTicks(0.35, { isWhole: false })).toStrictEqual([0, 0.1, 0.2, 0.3, 0.4])
  })
})
