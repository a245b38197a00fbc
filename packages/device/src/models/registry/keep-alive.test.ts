import { describe, expect, it } from 'vitest'
import { formatKeepAlive, parseKeepAlive } from './keep-alive.ts'

describe('a keep-alive', () => {
  it.each([
    ['always', Number.POSITIVE_INFINITY],
    ['never', 0],
    ['90s', 90_000],
    ['30m', 1_800_000],
    ['2h', 7_200_000],
  ])('reads and writes %s', (text, ms) => {
    expect(parseKeepAlive(text)).toBe(ms)
    expect(formatKeepAlive(ms)).toBe(text)
  })

  it.each(['', '30', 'forever', '-1m', '1.5h', '30 m', '9999999h'])('rejects "%s"', (text) => {
    expect(() => parseKeepAlive(text)).toThrow('use a time like 30m or 2h, always or never')
  })
})
