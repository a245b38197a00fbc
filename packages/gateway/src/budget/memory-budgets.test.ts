import { describe, expect, it } from 'vitest'
import { openBudgets } from './memory-budgets.ts'

const MIB = 1024 * 1024
const SIZES = { totalBytes: undefined, heapLimitBytes: 1024 * MIB, maxBodyBytes: 20 * MIB }

describe('memory budgets', () => {
  it('are half of the heap unless set', () => {
    const { requests, replies } = openBudgets(SIZES)
    expect([requests.totalBytes, replies.totalBytes]).toEqual([256 * MIB, 256 * MIB])
    expect(openBudgets({ ...SIZES, totalBytes: 600 * MIB }).requests.totalBytes).toBe(300 * MIB)
  })

  it.each([
    { ...SIZES, heapLimitBytes: 64 * MIB },
    { ...SIZES, totalBytes: 16 * MIB },
  ])('have room for a body of the maximum size: %j', (sizes) => {
    const { requests } = openBudgets(sizes)
    expect(requests.open({ organization: 'a', key: 'a1' }).resize(2 * sizes.maxBodyBytes)).toBeUndefined()
  })

  it('have more for devices on a larger heap, but not for one organization', () => {
    const { devices, reports } = openBudgets({ ...SIZES, heapLimitBytes: 4096 * MIB })
    expect([devices.totalBytes, reports.totalBytes]).toEqual([512 * MIB, 256 * MIB])
    expect(devices.open({ organization: 'a', key: 'a1' }).resize(52 * MIB)).toBeUndefined()
    expect(devices.open({ organization: 'a', key: 'a2' }).resize(MIB)).toBe('organization')
    expect(devices.open({ organization: 'b', key: 'b1' }).resize(52 * MIB)).toBeUndefined()
    expect(reports.open({ organization: 'a', key: 'a1' }).resize(13 * MIB)).toBe('key')
  })

  it('have room for a message of the maximum size, with everything a device said before', () => {
    const { devices } = openBudgets({ ...SIZES, totalBytes: 16 * MIB })
    expect(devices.open({ organization: 'a', key: 'a1' }).resize(4 * MIB)).toBeUndefined()
  })
})
