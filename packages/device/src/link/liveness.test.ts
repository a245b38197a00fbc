import { describe, expect, it } from 'vitest'
import { judgeLink, wokeUp, type LinkSigns } from './liveness.ts'

const signs = (heardAt: number, lastCheckAt: number, probedAt?: number): LinkSigns => ({
  heardAt,
  lastCheckAt,
  ...(probedAt === undefined ? {} : { probedAt }),
})

describe('judgeLink', () => {
  it('probes after a sleep instead of trusting either clock', () => {
    expect(judgeLink(signs(1_000, 2_000), 602_000, 3_000, 15_000)).toBe('probe')
    expect(judgeLink(signs(1_000, 2_000), 602_000, 603_000, 15_000)).toBe('probe')
  })

  it('calls a link silent if a probe gets no answer', () => {
    expect(judgeLink(signs(1_000, 9_000, 5_000), 10_000, 9_000, 15_000)).toBe('alive')
    expect(judgeLink(signs(1_000, 9_000, 5_000), 10_000, 9_001, 15_000)).toBe('silent')
    expect(judgeLink(signs(5_100, 9_000, 5_000), 10_000, 9_001, 15_000)).toBe('alive')
  })

  it('ignores a clock that is set back', () => {
    expect(judgeLink(signs(1_000, 10_000_000), 0, 2_000, 15_000)).toBe('alive')
    expect(wokeUp(10_000_000, 0)).toBe(false)
    expect(wokeUp(0, 6_000)).toBe(true)
  })
})
