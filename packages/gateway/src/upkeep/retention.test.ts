import { expect, it, vi } from 'vitest'
import { keepRetention } from './retention.ts'

it('folds and deletes in small batches, after the months that are set, and looks again every hour', async () => {
  const day = (number: number) => ({ organization: 'o', day: new Date(Date.UTC(2025, 0, number)) })
  const days = [day(1), day(2), undefined, undefined]
  const entries = [500, 3, 0]
  const activities = [500, 1, 0]
  const pauses: number[] = []
  const store = {
    foldUsage: vi.fn(async () => days.shift()),
    pruneAudit: vi.fn(async () => entries.shift() ?? Promise.reject(new Error('silent'))),
    pruneActivity: vi.fn(async () => activities.shift()!),
    tableSizes: async () => [{ table: 'usage_hour', bytes: 7 }],
  }
  const [onSizes, onTidied, onError] = [vi.fn(), vi.fn(), vi.fn()]
  await keepRetention({
    store,
    months: { usage: 13, audit: 24 },
    onSizes,
    onTidied,
    onError,
    now: () => Date.UTC(2026, 2, 31),
    pause: async (ms) => pauses.push(ms) <= 11,
  })
  const before = new Date(Date.UTC(2025, 2, 3))
  expect(store.foldUsage.mock.calls.slice(0, 3)).toEqual([
    [{ before }],
    [{ before, after: day(1) }],
    [{ before, after: day(2) }],
  ])
  expect(store.pruneAudit).toHaveBeenCalledWith({ before: new Date(Date.UTC(2024, 2, 31)), limit: 500 })
  expect(store.pruneActivity).toHaveBeenCalledWith({ before: new Date(Date.UTC(2024, 2, 31)), limit: 500 })
  expect(onTidied.mock.calls).toEqual([[{ days: 2, entries: 1_004 }]])
  expect(onSizes).toHaveBeenCalledWith([{ table: 'usage_hour', bytes: 7 }])
  expect(pauses).toEqual([60_000, 50, 50, 50, 50, 50, 50, 3_600_000, 50, 50, 3_600_000, 3_600_000])
  expect(onError).toHaveBeenCalledTimes(1)
})
