import { expect, it } from 'vitest'
import { MAX_TAKEN, TakenRequests } from './taken-requests.ts'

const MINUTES = 60_000

it('remembers as many requests as it may, and takes no more until the first could not be taken again', () => {
  let now = 1_000 * MINUTES
  const taken = new TakenRequests(() => now)
  const take = (id: string, isBegun = false) => taken.take({ id, sealedAt: now, attempt: 1, isBegun })
  const all = Array.from({ length: MAX_TAKEN }, (_, index) => take(`id ${index}`))
  expect(new Set(all)).toEqual(new Set([undefined]))
  expect(take('one more')).toBe('full')
  now += 5 * MINUTES
  expect(take('one more')).toBe('full')
  now += 1
  expect(take('one more')).toBeUndefined()
})
