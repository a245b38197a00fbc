import { describe, expect, it } from 'vitest'
import { GuessLimiter } from './guess-limiter.ts'

function countUntilRefused(guessLimiter: GuessLimiter, address: string, target?: string): number {
  for (let count = 0; count < 1_000; count++)
    try {
      guessLimiter.count(address, target)
    } catch {
      return count
    }
  return Infinity
}

describe('guesses', () => {
  it('[M4a] are limited per client address, with a whole IPv6 network counting as one', () => {
    const guessLimiter = new GuessLimiter(() => 0)
    expect(countUntilRefused(guessLimiter, '192.0.2.1')).toBe(20)
    expect(countUntilRefused(guessLimiter, '192.0.2.2')).toBe(20)
    expect(countUntilRefused(guessLimiter, '2001:db8:1:2:3::4')).toBe(20)
    expect(countUntilRefused(guessLimiter, '2001:db8:1:2:ffff::1')).toBe(0)
    expect(countUntilRefused(guessLimiter, '2001:db8:1:3::4')).toBe(20)
  })

  it('[M4b] are limited per account, wherever they come from', () => {
    const guessLimiter = new GuessLimiter(() => 0)
    for (let count = 0; count < 10; count++) guessLimiter.count(`192.0.2.${count}`, 'account a')
    expect(countUntilRefused(guessLimiter, '192.0.2.99', 'account a')).toBe(0)
    expect(countUntilRefused(guessLimiter, '192.0.2.99', 'account b')).toBe(10)
  })

  it('[M4a] are allowed again after the time in retry-after', () => {
    let now = 0
    const guessLimiter = new GuessLimiter(() => now)
    countUntilRefused(guessLimiter, '192.0.2.1')
    now += 2_999
    expect(() => guessLimiter.count('192.0.2.1')).toThrow(expect.objectContaining({ headers: { 'retry-after': '1' } }))
    now += 1
    guessLimiter.count('192.0.2.1')
  })

  it('[M4a] from one person behind an unconfigured proxy do not quickly lock out the others', () => {
    const guessLimiter = new GuessLimiter(() => 0)
    expect(countUntilRefused(guessLimiter, '127.0.0.1')).toBe(200)
    expect(countUntilRefused(new GuessLimiter(() => 0), '::ffff:127.0.0.1')).toBe(200)
  })

  it('are forgotten, oldest first, before they fill up memory', () => {
    const guessLimiter = new GuessLimiter(() => 0)
    countUntilRefused(guessLimiter, '192.0.2.1')
    for (let count = 0; count < 10_001; count++)
      guessLimiter.count(`10.${count >> 16}.${(count >> 8) & 255}.${count & 255}`)
    expect(countUntilRefused(guessLimiter, '192.0.2.1')).toBe(20)
  })
})
