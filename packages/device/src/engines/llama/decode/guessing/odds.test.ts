import { expect, it } from 'vitest'
import { Odds } from './odds.ts'

it('learns how often guesses are right, apart for short and long matches', () => {
  const odds = new Odds()
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
