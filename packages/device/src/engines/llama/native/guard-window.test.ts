import { describe, expect, it } from 'vitest'
import { guard } from './guard-window.ts'

describe('a cache that keeps only a window', () => {
  it('[W40k] goes back only as far as it still has the window before', () => {
    const removed: number[] = []
    const context = {
      getSequenceKvCacheMinPosition: (slot: number) => (slot === 0 ? 3000 : -1),
      removeTokenCellsFromSequence: (_slot: number, from: number, _to: number) => removed.push(from) > 0,
    }
    guard(context, 1024)
    expect(context.removeTokenCellsFromSequence(0, 4024, -1)).toBe(true)
    expect(context.removeTokenCellsFromSequence(0, 4023, -1)).toBe(false)
    expect(context.removeTokenCellsFromSequence(0, 10, -1)).toBe(false)
    expect(context.removeTokenCellsFromSequence(1, 10, -1)).toBe(true)
    expect(removed).toEqual([4024, 10])
  })
})
