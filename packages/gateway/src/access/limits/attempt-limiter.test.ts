import { describe, expect, it } from 'vitest'
import { AttemptLimiter } from './attempt-limiter.ts'

function takeUntilRefused(limiter: AttemptLimiter, name: string, now = 0): number {
  let count = 0
  while (count < 1_000 && limiter.take(name, now) === 0) count++
  return count
}

describe('attempts', () => {
  it('are forgotten, oldest first, before they fill up memory', () => {
    const limiter = new AttemptLimiter(20)
    expect(takeUntilRefused(limiter, '192.0.2.1')).toBe(20)
    for (let count = 0; count < 10_001; count++) limiter.take(`name ${count}`, 0)
    expect(takeUntilRefused(limiter, '192.0.2.1')).toBe(20)
  })

  it('[M4b] can be limited to a part of a minute at once', () => {
    const limiter = new AttemptLimiter(60, 5)
    expect(takeUntilRefused(limiter, 'a')).toBe(5)
    expect(limiter.take('a', 0)).toBe(1_000)
    expect(takeUntilRefused(limiter, 'a', 2_000)).toBe(2)
    expect(takeUntilRefused(limiter, 'a', 600_000)).toBe(5)
  })
})
