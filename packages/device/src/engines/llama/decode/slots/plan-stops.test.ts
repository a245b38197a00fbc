import { describe, expect, it } from 'vitest'
import { planStops, untilStop } from './plan-stops.ts'

/** Zeros, with a control token at each of these places. */
function prompt(length: number, controls: readonly number[]): number[] {
  return Array.from({ length }, (_, index) => (controls.includes(index) ? 1 : 0))
}

const stops = (length: number, controls: readonly number[], reused = 0) =>
  planStops(prompt(length, controls), reused, (token) => token === 1)

describe('planStops', () => {
  it('[W31] stops before the header of the reply, because the next turn may write another', () => {
    expect(stops(100, [0, 97])).toEqual([97])
    expect(stops(100, [0, 90, 94, 98])).toEqual([90])
  })

  it('[W31] stops before the last token of a prompt without a header', () => {
    expect(stops(100, [])).toEqual([99])
    expect(stops(100, [0, 50])).toEqual([99])
    expect(stops(100, [99])).toEqual([99])
  })

  it('[W31] stops after long instructions, which other conversations share', () => {
    expect(stops(2000, [0, 1200, 1996])).toEqual([1200, 1996])
    expect(stops(2000, [0, 40, 1996])).toEqual([1996])
    expect(stops(1300, [0, 1200, 1296])).toEqual([1200, 1296])
    expect(stops(200, [0, 100, 196])).toEqual([196])
    expect(stops(1300, [0, 1292, 1296])).toEqual([1292])
  })

  it('[W31] stops now and then in a long text', () => {
    expect(stops(6000, [5997])).toEqual([2048, 4096, 5997])
    expect(stops(4200, [4197])).toEqual([2048, 4197])
  })

  it('[W31] doesn’t stop in what is reused', () => {
    expect(stops(6000, [5997], 4096)).toEqual([5997])
    expect(stops(100, [0, 90, 94], 90)).toEqual([])
  })
})

describe('untilStop', () => {
  it('[W31] leaves one token after the stop to the next decode', () => {
    expect(untilStop(10, { pending: prompt(50, []), stops: [30] })).toBe(21)
    expect(untilStop(10, { pending: prompt(5, []), stops: [30] })).toBe(5)
    expect(untilStop(10, { pending: prompt(50, []), stops: [] })).toBe(50)
  })
})
