import { describe, expect, it } from 'vitest'
import type { Schemas } from '../../api/client.ts'
import { makeCsv } from './make-csv.ts'
import { makeSeries } from './chart/make-series.ts'
import { dayOf, errorIn, rangeOf, startsOf } from './range.ts'

type Usage = Schemas['Usage']

const HOUR_MS = 3_600_000
const NOW = Date.parse('2026-11-15T12:34:56Z')
const DAYS = { first: '2026-11-10', last: '2026-11-15' }

function counters(requests: number) {
  const tokens = { promptTokens: requests * 2, completionTokens: requests * 3 }
  return { requests, errors: 0, ...tokens, waitMs: requests * 100, busyMs: requests * 50 }
}

const times = { waitMs: null, firstTokenMs: null, tokensPerSecond: null }

function usage(points: [at: string, id: string, requests: number][]): Usage {
  const ids = [...new Set(points.map(([, id]) => id))]
  const sumOf = (id: string) => points.reduce((sum, [, own, requests]) => sum + (own === id ? requests : 0), 0)
  return {
    from: '2026-11-14T13:00:00.000Z',
    to: '2026-11-15T13:00:00.000Z',
    points: points.map(([at, id, requests]) => ({ at, id, ...counters(requests) })),
    sums: ids.map((id) => ({ id, name: `name of ${id}`, ...counters(sumOf(id)), times })),
    steps: [],
    leftOut: 0,
    codes: [],
    total: { ...counters(points.reduce((sum, [, , requests]) => sum + requests, 0)), times },
  }
}

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

describe('makeSeries', () => {
  const range = rangeOf('day', DAYS, NOW)

  it('puts every point into its bar', () => {
    const data = usage([
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
    const data = usage([
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
    const data = usage(ids.map((id, index) => ['2026-11-15T12:00:00.000Z', id, index + 1]))
    const { series, rows } = makeSeries(data, range, 'requests')
    const largest = ids.slice(5).toReversed()
    expect(series.map(({ name }) => name)).toStrictEqual([...largest.map((id) => `name of ${id}`), '5 others'])
    expect(rows.at(-1)!.values.at(-1)).toBe(1 + 2 + 3 + 4 + 5)
  })

  it('labels requests that never reached a device', () => {
    const { series } = makeSeries(usage([['2026-11-15T12:00:00.000Z', '', 1]]), range, 'errors')
    expect(series[0]?.name).toBe('No device')
  })
})

describe('makeCsv', () => {
  it('writes a line for each step and name', () => {
    expect(makeCsv(usage([['2026-11-15T12:00:00.000Z', 'a', 2]]), 'model')).toBe(
      '"time","model","model id","requests","errors","tokens in","tokens out","wait ms"\r\n' +
        '"2026-11-15T12:00:00.000Z","name of a","a",2,0,4,6,200\r\n',
    )
  })

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '＝1'])(
    '[Q62a] keeps %j from running as a formula',
    (id) => {
      expect(makeCsv(usage([['2026-11-15T12:00:00.000Z', id, 1]]), 'key')).toContain(`,"'${id}",`)
    },
  )

  it('escapes quotes, commas and line breaks', () => {
    expect(makeCsv(usage([['2026-11-15T12:00:00.000Z', 'a",\r\nb', 1]]), 'key')).toContain(',"a"",\r\nb",')
  })
})
