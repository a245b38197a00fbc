import { expect, it } from 'vitest'
import { LinkEpochs } from './link-epochs.ts'

it('links that come while a query is running share the next one', async () => {
  const counts: number[] = []
  let last = 0
  const epochs = new LinkEpochs(async (count) => {
    counts.push(count)
    return Array.from({ length: count }, () => ++last)
  })
  const first = epochs.next()
  await Promise.resolve()
  expect(await Promise.all([first, epochs.next(), epochs.next()])).toEqual([1, 2, 3])
  expect(counts).toEqual([1, 2])
})

it('a query that fails fails only those that waited for it', async () => {
  let isAway = true
  const epochs = new LinkEpochs(async () => {
    if (isAway) throw new Error('away')
    return [7]
  })
  await expect(epochs.next()).rejects.toThrow('away')
  isAway = false
  expect(await epochs.next()).toBe(7)
})
