import { expect, it, vi } from 'vitest'
import { sweepDeletions, sweepPlaygroundKeys } from './sweeps.ts'

const HOUR_MS = 3_600_000

/** A store with this much left, in batches. After them it is silent. */
function sweeping(left: number[], mostPauses: number) {
  const errors: unknown[] = []
  const pauses: number[] = []
  return {
    sweep: vi.fn(async () => left.shift() ?? Promise.reject(new Error('silent'))),
    errors,
    pauses,
    options: {
      onError: (error: unknown) => errors.push(error),
      pause: async (ms: number) => pauses.push(ms) <= mostPauses,
    },
  }
}

it('the sweep of playground keys removes them in small batches, every hour, and survives a silent store', async () => {
  const { sweep, errors, pauses, options } = sweeping([200, 200, 7], 3)
  await sweepPlaygroundKeys({ ...options, store: { removePlaygroundKeys: sweep }, now: () => 25 * HOUR_MS })
  expect(pauses).toEqual([60_000, HOUR_MS, HOUR_MS, HOUR_MS])
  expect([sweep.mock.calls.length, errors.length]).toEqual([5, 2])
  expect(sweep).toHaveBeenCalledWith({ expiredBefore: new Date(HOUR_MS), limit: 200 })
})

it('the sweep of deletions works in small batches until nothing is left, looks again every hour, and survives a silent store', async () => {
  const { sweep, errors, pauses, options } = sweeping([500, 20, 0], 4)
  await sweepDeletions({ ...options, store: { sweepOrganizations: sweep } })
  expect(pauses).toEqual([60_000, 50, 50, 3_600_000, 3_600_000])
  expect(errors).toHaveLength(1)
  expect(sweep).toHaveBeenCalledWith({ limit: 500 })
})
