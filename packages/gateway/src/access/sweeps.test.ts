import { expect, it, vi } from 'vitest'
import { sweepDeletions, sweepPlaygroundKeys } from './sweeps.ts'

const HOUR_MS = 3_600_000

it('the sweep of playground keys removes them in small batches, every hour, and survives a silent store', async () => {
  const left = [200, 200, 7]
  const errors: unknown[] = []
  const removePlaygroundKeys = vi.fn(async () => left.shift() ?? Promise.reject(new Error('silent')))
  const pauses: number[] = []
  await sweepPlaygroundKeys({
    store: { removePlaygroundKeys },
    onError: (error) => errors.push(error),
    now: () => 25 * HOUR_MS,
    pause: async (ms) => pauses.push(ms) <= 3,
  })
  expect(pauses).toEqual([60_000, HOUR_MS, HOUR_MS, HOUR_MS])
  expect([removePlaygroundKeys.mock.calls.length, errors.length]).toEqual([5, 2])
  expect(removePlaygroundKeys).toHaveBeenCalledWith({ expiredBefore: new Date(HOUR_MS), limit: 200 })
})

it('the sweep of deletions works in small batches until nothing is left, looks again every hour, and survives a silent store', async () => {
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
