import { describe, expect, it } from 'vitest'
import { planDrafts } from './plan-drafts.ts'

describe('the number of drafts', () => {
  const all = Array.from({ length: 17 }, (_, count) => count)
  /** As measured on a CPU: the second token is the dear one. */
  const stepOf = (tokens: number) => (tokens === 1 ? 30 : 50 + 3 * tokens)
  const onCpu = { streams: 1, counts: all, stepOf, drawMs: 1 }
  const onGpu = { streams: 1, counts: [0, 1, 3, 7, 15, 23], stepOf: () => 10, drawMs: 0.1 }

  it('is high where drafts are nearly always right, although the first alone would cost time', () => {
    expect(planDrafts(0.98, 1, 8, onCpu)).toBe(0)
    expect(planDrafts(0.98, 16, 8, onCpu)).toBeGreaterThan(8)
  })

  it('is lower the less often they are right, and 0 where they don’t pay', () => {
    const counts = [0.95, 0.8, 0.6, 0.3, 0.05].map((odds) => planDrafts(odds, 16, 1, onGpu))
    expect(counts).toEqual(counts.toSorted((a, b) => b - a))
    expect(counts[0]).toBeGreaterThan(counts[3]!)
    expect(counts[4]).toBe(0)
    expect(planDrafts(0.6, 16, 8, onCpu)).toBe(0)
  })
})
