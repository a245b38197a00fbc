import { expect, it } from 'vitest'
import { Odds } from './odds.ts'

const once = (match: number) => ({ how: 'going' as const, match, followed: 'once' as const })

it('learns how often guesses are right, apart for short and long matches, and for places that vary', () => {
  const odds = new Odds(new Odds())
  const first = odds.of(once(8))
  for (let index = 0; index < 40; index++) {
    odds.learn(once(3), false)
    odds.learn(once(20), true)
  }
  expect(odds.of(once(4))).toBeLessThan(0.01)
  expect(odds.of(once(32))).toBeGreaterThan(0.99)
  expect(odds.of(once(8))).toBe(first)
  expect(odds.of({ ...once(20), followed: 'varied' })).toBeLessThan(0.5)
  for (let index = 0; index < 10; index++) odds.learn(once(3), true)
  expect(odds.of(once(3))).toBeGreaterThan(0.7)
})

it('learns apart how often a copy is right that was just found, or goes on after tokens that differed', () => {
  const odds = new Odds()
  for (let index = 0; index < 300; index++) odds.learn({ ...once(3), how: 'found' }, false)
  expect(odds.of({ ...once(3), how: 'found' })).toBeLessThan(0.01)
  expect(odds.of(once(3))).toBe(0.3)
  expect(odds.of({ ...once(3), how: 'resumed' })).toBe(0.4)
})

it('begins with what was seen of other streams', () => {
  const all = new Odds()
  const other = new Odds(all)
  for (let index = 0; index < 300; index++) {
    other.learn(once(3), false)
    other.learn('forced', true)
  }
  expect(new Odds(all).of(once(3))).toBeLessThan(0.01)
  expect(new Odds(all).of('forced')).toBeGreaterThan(0.99)
  expect(new Odds(all).of(once(20))).toBe(new Odds().of(once(20)))
})
