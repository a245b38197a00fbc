import { describe, expect, it } from 'vitest'
import { countAllowed } from '../../testing/count-allowed.ts'
import { GuessLimiter } from './guess-limiter.ts'

function countUntilRefused(guessLimiter: GuessLimiter, address: string, target?: string): number {
  return countAllowed(() => guessLimiter.count(address, target))
}

function signInsUntilRefused(guessLimiter: GuessLimiter, address: string, email: string): number {
  return countAllowed(() => guessLimiter.countSignIn(address, email))
}

describe('guesses', () => {
  it('are limited per client address, with a whole IPv6 network counting as one', () => {
    const guessLimiter = new GuessLimiter(() => 0)
    expect(countUntilRefused(guessLimiter, '192.0.2.1')).toBe(20)
    expect(countUntilRefused(guessLimiter, '192.0.2.2')).toBe(20)
    expect(countUntilRefused(guessLimiter, '2001:db8:1:2:3::4')).toBe(20)
    expect(countUntilRefused(guessLimiter, '2001:db8:1:2:ffff::1')).toBe(0)
    expect(countUntilRefused(guessLimiter, '2001:db8:1:3::4')).toBe(20)
  })

  it('at the codes of one person are limited, wherever they come from', () => {
    const guessLimiter = new GuessLimiter(() => 0)
    for (let count = 0; count < 10; count++) guessLimiter.count(`192.0.2.${count}`, 'codes a')
    expect(countUntilRefused(guessLimiter, '192.0.2.99', 'codes a')).toBe(0)
    expect(countUntilRefused(guessLimiter, '192.0.2.99', 'codes b')).toBe(10)
  })

  it('at one account are limited for all new places together', () => {
    const guessLimiter = new GuessLimiter(() => 0)
    for (let count = 0; count < 30; count++) guessLimiter.countSignIn(`192.0.2.${count}`, 'ann@acme.test')
    expect(signInsUntilRefused(guessLimiter, '192.0.2.99', 'Ann@acme.test')).toBe(0)
    expect(signInsUntilRefused(guessLimiter, '192.0.2.99', 'bob@acme.test')).toBe(10)
  })

  it('from one address do not lock anyone else out of the account', () => {
    const guessLimiter = new GuessLimiter(() => 0)
    for (let count = 0; count < 1_000; count++) signInsUntilRefused(guessLimiter, '192.0.2.1', 'ann@acme.test')
    expect(signInsUntilRefused(guessLimiter, '198.51.100.1', 'ann@acme.test')).toBe(10)
  })

  it('from any number of addresses do not lock the owner out where they signed in before', () => {
    const guessLimiter = new GuessLimiter(() => 0)
    guessLimiter.signedIn('198.51.100.1', 'ann@acme.test')
    for (let count = 0; count < 250; count++) signInsUntilRefused(guessLimiter, `192.0.2.${count}`, 'ann@acme.test')
    expect(signInsUntilRefused(guessLimiter, '198.51.100.2', 'ann@acme.test')).toBe(0)
    expect(signInsUntilRefused(guessLimiter, '198.51.100.1', 'Ann@acme.test')).toBe(10)
  })

  it('are limited at a known place too, and only the latest places are remembered', () => {
    const guessLimiter = new GuessLimiter(() => 0)
    guessLimiter.signedIn('198.51.100.1', 'ann@acme.test')
    for (let count = 0; count < 10_000; count++) guessLimiter.signedIn('198.51.100.1', `${count}@acme.test`)
    for (let count = 0; count < 30; count++) guessLimiter.countSignIn(`192.0.2.${count}`, 'ann@acme.test')
    expect(signInsUntilRefused(guessLimiter, '198.51.100.1', 'ann@acme.test')).toBe(0)
  })

  it('are allowed again after the time in retry-after', () => {
    let now = 0
    const guessLimiter = new GuessLimiter(() => now)
    countUntilRefused(guessLimiter, '192.0.2.1')
    now += 2_999
    expect(() => guessLimiter.count('192.0.2.1')).toThrow(expect.objectContaining({ headers: { 'retry-after': '1' } }))
    now += 1
    guessLimiter.count('192.0.2.1')
  })

  it('from one person behind an unconfigured proxy do not quickly lock out the others', () => {
    const guessLimiter = new GuessLimiter(() => 0)
    expect(countUntilRefused(guessLimiter, '127.0.0.1')).toBe(200)
    expect(countUntilRefused(new GuessLimiter(() => 0), '::ffff:127.0.0.1')).toBe(200)
  })

  it('from networks where nobody signed in are limited together, and not those from other networks', () => {
    const guessLimiter = new GuessLimiter(() => 0)
    guessLimiter.signedIn('192.0.2.1', 'ann@acme.test')
    let network = 0
    const anywhere = () => guessLimiter.count(`10.0.${network++}.1`)
    const anyAccount = () => guessLimiter.countSignIn(`10.1.${network++}.1`, `${network}@acme.test`)
    expect(countAllowed(anywhere)).toBe(100)
    expect(countAllowed(anyAccount)).toBe(0)
    expect(signInsUntilRefused(guessLimiter, '192.0.2.1', 'ann@acme.test')).toBe(10)
    // The refused attempt counted for the address, so nine of its twenty are left.
    expect(countUntilRefused(guessLimiter, '192.0.2.1')).toBe(9)
    expect(countUntilRefused(guessLimiter, '198.51.100.1', 'codes a')).toBe(10)
  })
})
