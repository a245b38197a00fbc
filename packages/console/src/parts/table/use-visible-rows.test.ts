import { describe, expect, it } from 'vitest'
import { rowsAt } from './use-visible-rows.ts'

describe('rowsAt', () => {
  it('renders the rows on the screen and a few around them, of however many', () => {
    const { first, end } = rowsAt(50 * 40_000, 900, 50, 100_000)
    expect([first <= 40_000, end >= 40_018, end - first < 60]).toStrictEqual([true, true, true])
  })

  it('stays within the table', () => {
    expect(rowsAt(-500, 900, 50, 5)).toStrictEqual({ first: 0, end: 5 })
    expect(rowsAt(1e9, 900, 50, 5)).toStrictEqual({ first: 5, end: 5 })
    expect(rowsAt(-2_000, 900, 50, 1_000)).toStrictEqual({ first: 0, end: 20 })
  })
})
