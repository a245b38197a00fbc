import { describe, expect, it } from 'vitest'
import { listUnheard } from './isolation.ts'

describe('listUnheard', () => {
  it.each([
    ['nobody, if all hear each other', [[1, 2, 3], [1, 2, 3], [1, 2, 3]], []], // prettier-ignore
    ['the one that the others do not hear', [[1, 2, 3], [2, 3], [2, 3]], [1]], // prettier-ignore
    ['the one that does not hear the others', [[1], [1, 2, 3], [1, 2, 3]], [1]], // prettier-ignore
    ['nobody, if each hears another one', [[1, 2], [1, 2, 3], [2, 3]], []], // prettier-ignore
    ['the smaller side', [[1, 2], [1, 2], [3, 4, 5], [3, 4, 5], [3, 4, 5]], [1, 2]], // prettier-ignore
    ['of two, the one that has lost the bus', [[2], [2]], [1]], // prettier-ignore
    ['the side that has lost the bus, even if it is larger', [[2], [1], [3]], [1, 2]], // prettier-ignore
    ['nobody, if it is alone', [[1]], []],
  ])('names %s', (_, hears, unheard) => {
    expect(listUnheard(hears.map(rowOf))).toEqual(unheard)
  })

  it.each([
    ['two gateways that have the bus', [[1], [2]]],
    ['two sides of the same size', [[1, 2], [1, 2], [3, 4], [3, 4]]], // prettier-ignore
    ['nobody has the bus any more', [[2, 3], [1, 3], [1, 2]]], // prettier-ignore
    ['nobody has ever had the bus', [[], [], []]],
  ])('cannot tell who is cut off: %s', (_, hears) => {
    expect(listUnheard(hears.map(rowOf))).toBeUndefined()
  })

  function rowOf(hears: readonly number[], index: number) {
    const number = index + 1
    return {
      number,
      id: `${number}`,
      version: '1',
      acknowledged: 0,
      turn: 0,
      peers: [],
      bus: null,
      hears,
      isIsolated: false,
    }
  }
})
