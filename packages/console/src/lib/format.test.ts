import { describe, expect, it } from 'vitest'
import { formatBytes, formatContext, formatRelative, formatShort, formatSpeed, plural } from './format.ts'

const NOW = Date.parse('2026-11-15T12:00:00.000Z')
const before = (ms: number) => formatRelative(new Date(NOW - ms).toISOString(), NOW)

describe('numbers and times', () => {
  it('formats sizes, counts and speeds', () => {
    const sizes = [0, 999, 1_500, 98_400_000, 4_700_000_000].map(formatBytes)
    expect(sizes).toStrictEqual(['0 B', '999 B', '1.5 KB', '98.4 MB', '4.7 GB'])
    const contexts = [512, 8_192, 32_768, 131_072, 100_000, 1_048_576].map(formatContext)
    expect(contexts).toStrictEqual(['512', '8K', '32K', '128K', '100K', '1M'])
    expect([4.25, 61.7].map(formatSpeed)).toStrictEqual(['4.3', '62'])
    expect(formatShort(12_345)).toBe('12.3K')
    expect([plural(1, 'device'), plural(2_000, 'device')]).toStrictEqual(['1 device', '2,000 devices'])
  })

  it('formats recent times as relative and older ones as dates', () => {
    const recent = [10_000, 60_000, 7_200_000, 86_400_000, 3 * 86_400_000].map(before)
    expect(recent).toStrictEqual(['just now', '1 minute ago', '2 hours ago', 'yesterday', '3 days ago'])
    expect(before(-30 * 86_400_000)).toBe('in 30 days')
    expect(before(60 * 86_400_000)).toMatch(/2026/)
  })
})
