import { describe, expect, it } from 'vitest'
import { chooseCounts } from './choose-counts.ts'

const stream = (odds: number, available = 10) => Array.from({ length: available }, () => odds)
/** The cost of one more token, relative to the rest of a step. */
const costing = (share: number) => (tokens: number) => 1 + share * tokens

describe('the number of guesses in a step', () => {
  it('grows with the odds', () => {
    const counts = [0.1, 0.5, 0.8, 0.99].map((odds) => chooseCounts([stream(odds)], 63, costing(0.3))[0]!)
    expect(counts[0]).toBe(0)
    expect(counts).toEqual(counts.toSorted((a, b) => a - b))
    expect(counts.at(-1)).toBe(10)
  })

  it('is higher where a token costs less', () => {
    expect(chooseCounts([stream(0.5)], 63, costing(0.02))[0]!).toBeGreaterThan(
      chooseCounts([stream(0.5)], 63, costing(0.3))[0]!,
    )
  })

  it('is lower if many streams would wait for it', () => {
    const others = Array.from({ length: 30 }, () => stream(0, 0))
    expect(chooseCounts([stream(0.6), ...others], 63, costing(0.3))[0]).toBe(0)
    expect(chooseCounts([stream(0.6)], 63, costing(0.3))[0]).toBeGreaterThan(0)
  })

  it('goes to the streams with the best odds if there is little room', () => {
    expect(chooseCounts([stream(0.5), stream(0.99), stream(0.5)], 4, costing(0.01))).toEqual([0, 4, 0])
  })

  it('never exceeds what is available', () => {
    expect(chooseCounts([stream(1, 3), stream(1, 0)], 63, costing(0))).toEqual([3, 0])
  })
})
