import { describe, expect, it } from 'vitest'
import { offersOf, type Offer } from './offers.ts'
import { SteadyCount } from './steady-count.ts'

const COUNTS = [0, 3, 7]
/** One more token takes 2 % of the time of a step. */
const rateOf = ({ guesses, gained }: Offer) => gained / (1 + 0.02 * guesses)
const offers = (odds: readonly number[]) => offersOf([odds], COUNTS)
const LIKELY = Array.from({ length: 7 }, () => 0.9)

describe('the number of guesses on a GPU', () => {
  it('rises when guesses are worth it, and stays where some steps have none', () => {
    const steady = new SteadyCount()
    const chosen = Array.from({ length: 60 }, (_, step) => steady.choose(offers(step % 3 === 0 ? LIKELY : []), rateOf))
    const settled = chosen.slice(10)
    expect(new Set(settled).size).toBe(1)
    expect(settled[0]).toBeGreaterThan(0)
  })

  it('stays 0 for a guess now and then', () => {
    const steady = new SteadyCount()
    for (let step = 0; step < 60; step++) expect(steady.choose(offers(step % 20 === 0 ? [0.3] : []), rateOf)).toBe(0)
  })

  it('falls when there is nothing to guess any more', () => {
    const steady = new SteadyCount()
    for (let step = 0; step < 20; step++) steady.choose(offers(LIKELY), rateOf)
    const chosen = Array.from({ length: 30 }, () => steady.choose(offers([]), rateOf))
    expect(chosen.at(-1)).toBe(0)
  })

  it('falls when there is less room', () => {
    const steady = new SteadyCount()
    for (let step = 0; step < 20; step++) steady.choose(offers(LIKELY), rateOf)
    expect(steady.choose(offersOf([LIKELY], [0]), rateOf)).toBe(0)
  })
})
