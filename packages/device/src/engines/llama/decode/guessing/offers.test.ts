import { expect, it } from 'vitest'
import { offersOf } from './offers.ts'

it('a guess counts only as far as all guesses before it are right', () => {
  expect(offersOf([[0.5, 0.5, 1]], [0, 1, 2, 3, 9])).toEqual([
    { guesses: 0, gained: 1, most: 1 },
    { guesses: 1, gained: 1.5, most: 1.5 },
    { guesses: 2, gained: 1.75, most: 1.75 },
    { guesses: 3, gained: 2, most: 2 },
    { guesses: 9, gained: 2, most: 2 },
  ])
})

it('streams without guesses lower the average', () => {
  expect(offersOf([[1, 1], [], []], [2])).toEqual([{ guesses: 2, gained: 5 / 3, most: 3 }])
})
