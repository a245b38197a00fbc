import { expect, it } from 'vitest'
import { Odds } from './odds.ts'

it('learns how often guesses are right, apart for short and long matches', () => {
  const odds = new Odds(new Odds())
  for (let index = 0; index < 40; index++) {
    odds.learn(3, false)
    odds.learn(20, true)
  }
  expect(odds.of(4)).toBeLessThan(0.01)
  expect(odds.of(32)).toBeGreaterThan(0.99)
  expect(odds.of(8)).toBe(0.5)
  for (let index = 0; index < 10; index++) odds.learn(3, true)
  expect(odds.of(3)).toBeGreaterThan(0.7)
})

it('begins with what was seen of other streams, and leaves a chance', () => {
  const all = new Odds()
  const other = new Odds(all)
  for (let index = 0; index < 300; index++) {
    other.learn(3, false)
    other.learn('forced', true)
  }
  expect(new Odds(all).of(3)).toBe(0.2)
  expect(new Odds(all).of('forced')).toBeGreaterThan(0.99)
  expect(new Odds(all).of(20)).toBe(0.5)
})
