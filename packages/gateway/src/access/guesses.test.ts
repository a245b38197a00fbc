import { describe, expect, it } from 'vitest'
import { Guesses } from './guesses.ts'

function countUntilRefused(guesses: Guesses, address: string, target?: string): number {
  for (let count = 0; count < 1_000; count++)
    try {
      guesses.count(address, target)
    } catch {
      return count
    }
  return Infinity
}

describe('guesses', () => {
  it('[M4] are slowed down by address, a whole IPv6 network counting as one', () => {
    const guesses = new Guesses(() => 0)
    expect(countUntilRefused(guesses, '192.0.2.1')).toBe(20)
    expect(countUntilRefused(guesses, '192.0.2.2')).toBe(20)
    expect(countUntilRefused(guesses, '2001:db8:1:2:3::4')).toBe(20)
    expect(countUntilRefused(guesses, '2001:db8:1:2:ffff::1')).toBe(0)
    expect(countUntilRefused(guesses, '2001:db8:1:3::4')).toBe(20)
  })

  it('[M4] are slowed down by what they aim at, wherever they come from', () => {
    const guesses = new Guesses(() => 0)
    for (let count = 0; count < 10; count++) guesses.count(`192.0.2.${count}`, 'account a')
    expect(countUntilRefused(guesses, '192.0.2.99', 'account a')).toBe(0)
    expect(countUntilRefused(guesses, '192.0.2.99', 'account b')).toBe(10)
  })

  it('[M4] may go on after the time they were told', () => {
    let now = 0
    const guesses = new Guesses(() => now)
    countUntilRefused(guesses, '192.0.2.1')
    now += 2_999
    expect(() => guesses.count('192.0.2.1')).toThrow(expect.objectContaining({ headers: { 'retry-after': '1' } }))
    now += 1
    guesses.count('192.0.2.1')
  })

  it('[M4] of one person behind a proxy nobody told us of do not soon lock out the others', () => {
    const guesses = new Guesses(() => 0)
    expect(countUntilRefused(guesses, '127.0.0.1')).toBe(200)
    expect(countUntilRefused(new Guesses(() => 0), '::ffff:127.0.0.1')).toBe(200)
  })

  it('[M4] are forgotten, the oldest first, before they fill the memory', () => {
    const guesses = new Guesses(() => 0)
    countUntilRefused(guesses, '192.0.2.1')
    for (let count = 0; count < 10_001; count++) guesses.count(`10.${count >> 16}.${(count >> 8) & 255}.${count & 255}`)
    expect(countUntilRefused(guesses, '192.0.2.1')).toBe(20)
  })
})
