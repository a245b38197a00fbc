import { describe, expect, it } from 'vitest'
import { filterRows, orderRows } from './order-rows.ts'

const self = (value: string | number | null) => value

describe('rows', () => {
  it('sorts numbers inside names by value', () => {
    expect(orderRows(['qwen3:14b', 'Qwen3:8b', 'llama'], self, false)).toStrictEqual(['llama', 'Qwen3:8b', 'qwen3:14b'])
    expect(orderRows([2, 10, 1], self, true)).toStrictEqual([10, 2, 1])
  })

  it('puts rows without a value last in both directions', () => {
    expect(orderRows([null, 2, null, 1], self, false)).toStrictEqual([1, 2, null, null])
    expect(orderRows([null, 2, null, 1], self, true)).toStrictEqual([2, 1, null, null])
  })

  it('matches all words in any order', () => {
    const rows = ['Mac Studio qwen3', 'Mac mini llama', 'Server qwen3']
    expect(filterRows(rows, 'QWEN mac', (row) => row)).toStrictEqual(['Mac Studio qwen3'])
    expect(filterRows(rows, '  ', (row) => row)).toBe(rows)
  })
})
