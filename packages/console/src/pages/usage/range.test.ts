import { describe, expect, it } from 'vitest'
import { dayOf, errorIn, rangeOf, startsOf } from './range.ts'

const NOW = Date.parse('2026-11-15T12:34:56Z')
const DAYS = { first: '2026-11-10', last: '2026-11-15' }

describe('rangeOf', () => {
  it('shows the last 24 hours, including the current one, in 24 bars', () => {
    const range = rangeOf('day', DAYS, NOW)
    expect(range.to.toISOString()).toBe('2026-11-15T13:00:00.000Z')
    expect(startsOf(range)).toHaveLength(24)
    expect(range.step).toBe('hour')
  })

  it("starts the last 7 days at midnight in the viewer's time zone", () => {
    const { from, to } = rangeOf('week', DAYS, NOW)
    expect([from.getHours(), from.getMinutes()]).toStrictEqual([0, 0])
    const starts = startsOf(rangeOf('week', DAYS, NOW))
    expect(starts.every((start) => new Date(start).getHours() % 6 === 0)).toBe(true)
    expect(starts.at(-1)! < to.getTime()).toBe(true)
  })

  it('shows 30 days in UTC, ending today', () => {
    const starts = startsOf(rangeOf('month', DAYS, NOW))
    expect(starts).toHaveLength(30)
    expect(new Date(starts.at(-1)!).toISOString()).toBe('2026-11-15T00:00:00.000Z')
  })

  it('includes both days of a custom range', () => {
    const range = rangeOf('custom', DAYS, NOW)
    expect(dayOf(range.from.getTime())).toBe(DAYS.first)
    expect(dayOf(range.to.getTime() - 1)).toBe(DAYS.last)
    expect(rangeOf('custom', { first: '2026-01-01', last: '2026-11-15' }, NOW).step).toBe('day')
  })

  it('shows what is wrong with a custom range', () => {
    expect(errorIn(DAYS)).toBeUndefined()
    expect(errorIn({ first: '2026-11-16', last: '2026-11-15' })).toMatch(/before/)
    expect(errorIn({ first: '', last: '2026-11-15' })).toMatch(/both/)
    expect(errorIn({ first: '2020-11-16', last: '2026-11-15' })).toMatch(/400/)
  })
})
