import { describe, expect, it } from 'vitest'
import { countAllowed } from '../../testing/count-allowed.ts'
import { AttemptLimiter } from './attempt-limiter.ts'

let now = 0

function open(perMinute: number, burst = perMinute): AttemptLimiter {
  now = 0
  return new AttemptLimiter({ perMinute, burst }, 'Too often.', () => now)
}

describe('attempts', () => {
  it('are forgotten, oldest first, before they fill up memory', () => {
    const limiter = open(20)
    expect(countAllowed(() => limiter.count('192.0.2.1'))).toBe(20)
    for (let count = 0; count < 10_001; count++) limiter.take(`name ${count}`)
    expect(countAllowed(() => limiter.count('192.0.2.1'))).toBe(20)
  })

  it('can be limited to a part of a minute at once', () => {
    const limiter = open(60, 5)
    expect(countAllowed(() => limiter.count('a'))).toBe(5)
    expect(limiter.take('a')).toBe(1_000)
    expect(() => limiter.count('a')).toThrow('Too often. Try again in 1 s.')
    now = 2_000
    expect(countAllowed(() => limiter.count('a'))).toBe(2)
    now = 600_000
    expect(countAllowed(() => limiter.count('a'))).toBe(5)
  })
})
