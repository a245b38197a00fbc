import { expect, it } from 'vitest'
import { FIRST_GUESS_MS_PER_CHARACTER, expectPromptMs, learnSpeed } from './prompt-speed.ts'

function measure(times: number, characters: number, tookMs: number): number {
  let speed = FIRST_GUESS_MS_PER_CHARACTER
  for (let count = 0; count < times; count++) speed = learnSpeed(speed, characters, tookMs)
  return speed
}

it.each([
  [1_000, 50],
  [1_000, 5_000],
  [0, 400],
  [100_000, 900],
])('learns to expect what %i characters took: %i ms', (characters, tookMs) => {
  expect(expectPromptMs(measure(40, characters, tookMs), characters)).toBeCloseTo(tookMs, 0)
})

it('the expected speed is not misled for long by one job that waited for its model to load', () => {
  const speed = measure(20, 1_000, 100)
  expect(learnSpeed(speed, 1_000, 60_000)).toBeLessThan(2 * speed)
})
