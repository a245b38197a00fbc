import { describe, expect, it } from 'vitest'
import { lastDay, roundUp, sumHours } from './hours.ts'

describe('the last 24 hours', () => {
  it('are whole hours up to now', () => {
    expect(lastDay(Date.parse('2026-11-15T12:34:56Z'))).toStrictEqual({
      from: '2026-11-14T13:00:00.000Z',
      to: '2026-11-15T13:00:00.000Z',
    })
  })

  it('sums what all models did in an hour, and leaves out other hours', () => {
    const from = '2026-11-14T13:00:00.000Z'
    const points = [
      { at: from, requests: 2, errors: 1 },
      { at: from, requests: 3, errors: 0 },
      { at: '2026-11-15T12:00:00.000Z', requests: 7, errors: 7 },
      { at: '2026-11-15T13:00:00.000Z', requests: 100, errors: 0 },
    ]
    const hours = sumHours(points, from)
    expect(hours).toHaveLength(24)
    expect(hours[0]).toStrictEqual({ start: Date.parse(from), requests: 5, errors: 1 })
    expect(hours[23]).toMatchObject({ requests: 7, errors: 7 })
    expect(hours.reduce((sum, { requests }) => sum + requests, 0)).toBe(12)
  })
})

describe('the scale', () => {
  it('ends at a round number whose half is whole', () => {
    expect([0, 1, 3, 5, 7, 11, 55, 101, 550].map(roundUp)).toStrictEqual([2, 2, 4, 6, 8, 20, 60, 200, 600])
  })
})
