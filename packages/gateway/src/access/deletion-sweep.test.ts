import { describe, expect, it, vi } from 'vitest'
import { sweepDeletions } from './deletion-sweep.ts'

describe('the sweep of deletions', () => {
  it('works in small batches until nothing is left, looks again every hour, and survives a silent store', async () => {
    const left = [500, 20, 0]
    const errors: unknown[] = []
    const sweepOrganizations = vi.fn(async () => left.shift() ?? Promise.reject(new Error('silent')))
    const pauses: number[] = []
    await sweepDeletions({
      store: { sweepOrganizations },
      onError: (error) => errors.push(error),
      pause: async (ms) => pauses.push(ms) <= 4,
    })
    expect(pauses).toEqual([60_000, 50, 50, 3_600_000, 3_600_000])
    expect(errors).toHaveLength(1)
    expect(sweepOrganizations).toHaveBeenCalledWith({ limit: 500 })
  })
})
