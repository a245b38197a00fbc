import { expect, it } from 'vitest'
import { shareEpochs } from './link-epochs.ts'

it('links that come while a query is running share the next one', async () => {
  const counts: number[] = []
  let last = 0
  const next = shareEpochs(async (count) => {
    counts.push(count)
    return Array.from({ length: count }, () => ++last)
  })
  const first = next()
  await Promise.resolve()
  expect(await Promise.all([first, next(), next()])).toEqual([1, 2, 3])
  expect(counts).toEqual([1, 2])
})

it('a query that fails fails only those that waited for it', async () => {
  let isAway = true
  const next = shareEpochs(async () => {
    if (isAway) throw new Error('away')
    return [7]
  })
  await expect(next()).rejects.toThrow('away')
  isAway = false
  expect(await next()).toBe(7)
})
