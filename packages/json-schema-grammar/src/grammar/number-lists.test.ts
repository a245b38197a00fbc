import { describe, expect, it } from 'vitest'
import { EMPTY_LIST, NumberLists } from './number-lists.ts'

function listOf(lists: NumberLists, numbers: readonly number[]): number {
  return numbers.reduce((list, number) => lists.extended(list, number), EMPTY_LIST)
}

describe('lists of numbers', () => {
  const all = Array.from({ length: 500 }, (_, index) => [index % 7, index, 2 ** 40 + index, Number.POSITIVE_INFINITY])

  it('have the same number if they are equal, however many there are', () => {
    const lists = new NumberLists()
    const numbers = all.map((list) => listOf(lists, list))
    expect(new Set(numbers).size).toBe(all.length)
    expect(all.map((list) => listOf(lists, list))).toEqual(numbers)
    expect(numbers.map((number) => lists.numbersIn(number))).toEqual(all)
  })

  it('differ by the order of their numbers and by what they begin with', () => {
    const lists = new NumberLists()
    expect(listOf(lists, [1, 2])).not.toBe(listOf(lists, [2, 1]))
    expect(lists.extended(-1, 3)).not.toBe(lists.extended(-2, 3))
  })
})
