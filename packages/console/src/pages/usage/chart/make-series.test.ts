import { describe, expect, it } from 'vitest'
import { rangeOf } from '../range.ts'
import { usageOf } from '../testing/usage-of.ts'
import { makeSeries } from './make-series.ts'

const HOUR_MS = 3_600_000
const NOW = Date.parse('2026-11-15T12:34:56Z')
const DAYS = { first: '2026-11-10', last: '2026-11-15' }

describe('makeSeries', () => {
  const range = rangeOf('day', DAYS, NOW)

  it('puts every point into its bar', () => {
    const data = usageOf([
      ['2026-11-14T13:00:00.000Z', 'a', 1],
      ['2026-11-15T12:00:00.000Z', 'a', 2],
      ['2026-11-15T12:00:00.000Z', 'b', 4],
    ])
    const { series, rows } = makeSeries(data, range, 'requests')
    expect(series.map(({ name }) => name)).toStrictEqual(['name of a', 'name of b'])
    expect(rows[0]).toStrictEqual({ start: range.from.getTime(), values: [1, 0] })
    expect(rows.at(-1)!.values).toStrictEqual([2, 4])
    expect(rows.slice(1, -1).every(({ values }) => values.every((value) => value === 0))).toBe(true)
  })

  it('combines the hours of a quarter day, and averages waits by requests', () => {
    const week = rangeOf('week', DAYS, NOW)
    const at = (hours: number) => new Date(week.from.getTime() + hours * HOUR_MS).toISOString()
    const data = usageOf([
      [at(0), 'a', 1],
      [at(5), 'a', 3],
      [at(6), 'a', 5],
    ])
    data.points[1]!.waitMs = 1100
    const { rows } = makeSeries(data, week, 'wait')
    expect(rows.slice(0, 3).map(({ values }) => values)).toStrictEqual([[300], [100], [null]])
  })

  it('shows the seven largest and combines the others', () => {
    const ids = Array.from({ length: 12 }, (_, index) => `m${index}`)
    const data = usageOf(ids.map((id, index) => ['2026-11-15T12:00:00.000Z', id, index + 1]))
    const { series, rows } = makeSeries(data, range, 'requests')
    const largest = ids.slice(5).toReversed()
    expect(series.map(({ name }) => name)).toStrictEqual([...largest.map((id) => `name of ${id}`), '5 others'])
    expect(rows.at(-1)!.values.at(-1)).toBe(1 + 2 + 3 + 4 + 5)
  })

  it('labels requests that never reached a device', () => {
    const { series } = makeSeries(usageOf([['2026-11-15T12:00:00.000Z', '', 1]]), range, 'errors')
    expect(series[0]?.name).toBe('No device')
  })
})
