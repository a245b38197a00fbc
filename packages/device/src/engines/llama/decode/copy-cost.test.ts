import { describe, expect, it } from 'vitest'
import { copyCostOf } from './copy-cost.ts'

const cost = (gpu: string | false, contextLength: number) => copyCostOf({ gpu, contextLength })

describe('the price of copying a slot', () => {
  it('grows with the slot, more on a CPU than on a GPU', () => {
    expect([1024, 8192, 32_768].map((length) => cost(false, length))).toEqual([16, 92, 365])
    expect([1024, 8192, 32_768].map((length) => cost('cuda', length))).toEqual([24, 32, 128])
  })
})
