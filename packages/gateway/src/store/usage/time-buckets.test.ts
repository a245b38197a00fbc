import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addTimes, countTime, noTimes, quantileOf } from './time-buckets.ts'

describe('histograms of times', () => {
  it('estimate a percentile within half a step of the real one', () => {
    const values = fc.array(fc.double({ min: 1, max: 200_000, noNaN: true }), { minLength: 1, maxLength: 200 })
    fc.assert(
      fc.property(values, fc.constantFrom(0.05, 0.5, 0.95), (all, share) => {
        const times = noTimes()
        for (const value of all) countTime(times, 'firstToken', value)
        const exact = all.toSorted((one, other) => one - other)[Math.ceil(share * all.length) - 1]!
        const ratio = quantileOf(times, 'firstToken', share)! / exact
        expect(Math.abs(Math.log10(ratio))).toBeLessThanOrEqual(0.2 + 1e-9)
      }),
    )
  })

  it('keep kinds apart, add up, and know when nothing was counted', () => {
    const [one, other] = [noTimes(), noTimes()]
    countTime(one, 'wait', 0)
    countTime(one, 'speed', 40)
    countTime(other, 'wait', 1e9)
    expect(quantileOf(one, 'firstToken', 0.5)).toBeNull()
    expect(quantileOf(one, 'speed', 0.5)).toBeGreaterThan(25)
    addTimes(one, other)
    expect(quantileOf(one, 'wait', 1)).toBeGreaterThan(100_000)
    expect(quantileOf(one, 'wait', 0.5)).toBeLessThan(2)
  })
})
