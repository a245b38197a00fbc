import { describe, expect, it } from 'vitest'
import { planBatch } from './plan-batch.ts'
import { createPace } from './pace.ts'

const room = (alone: number, shared = alone) => ({ room: (isAlone: boolean) => (isAlone ? alone : shared) })

describe('planBatch', () => {
  it('[W30] gives every running stream its token before any prompt', () => {
    expect(planBatch([1, 1500, 1], room(512, 128))).toEqual([
      { index: 0, count: 1 },
      { index: 2, count: 1 },
      { index: 1, count: 126 },
    ])
  })

  it('[W30] lets a prompt fill the batch when nothing else runs', () => {
    expect(planBatch([1500], room(512, 128))).toEqual([{ index: 0, count: 512 }])
  })

  it('[W1] evaluates the last token of a prompt by itself', () => {
    expect(planBatch([40], room(512))).toEqual([{ index: 0, count: 39 }])
    expect(planBatch([1], room(512))).toEqual([{ index: 0, count: 1 }])
  })

  it('[W30] shares the room between prompts and passes on what a short one leaves', () => {
    expect(planBatch([1000, 11], room(100))).toEqual([
      { index: 1, count: 10 },
      { index: 0, count: 90 },
    ])
  })

  it('[W30] moves every prompt on, however small the room', () => {
    const parts = planBatch([...Array.from({ length: 40 }, () => 1), 500, 500], room(32))
    expect(parts.filter(({ index }) => index >= 40)).toEqual([
      { index: 40, count: 1 },
      { index: 41, count: 1 },
    ])
  })
})

describe('pace', () => {
  it('[W32] keeps decodes short enough to cancel between them', () => {
    const pace = createPace(512)
    for (let decode = 0; decode < 20; decode++) pace.onDecode(128, 256)
    expect(pace.room(true)).toBe(64)
    expect(pace.room(false)).toBeLessThan(64)
  })

  it('[W32] uses the whole batch on a fast machine, and never less than a useful piece', () => {
    const fast = createPace(512)
    fast.onDecode(128, 1)
    expect(fast.room(true)).toBe(512)
    const slow = createPace(512)
    slow.onDecode(128, 60_000)
    expect(slow.room(false)).toBe(32)
  })
})
