import { describe, expect, it } from 'vitest'
import { createPace } from './pace.ts'
import { planBatch } from './plan-batch.ts'

const room = (alone: number, shared = alone) => ({ room: (isAlone: boolean) => (isAlone ? alone : shared) })
const waiting = (...counts: number[]) => counts.map((count) => ({ count, lastTurn: 0 }))

describe('planBatch', () => {
  it('[W30a] gives every running stream its token before any prompt', () => {
    expect(planBatch(waiting(1, 1500, 1), room(512, 128))).toEqual([
      { index: 0, count: 1 },
      { index: 2, count: 1 },
      { index: 1, count: 128 },
    ])
  })

  it('lets a prompt fill the batch if nothing else runs', () => {
    expect(planBatch(waiting(1500), room(448, 128))).toEqual([{ index: 0, count: 448 }])
  })

  it('[W1] evaluates the last token of a prompt alone', () => {
    expect(planBatch(waiting(40), room(448))).toEqual([{ index: 0, count: 39 }])
    expect(planBatch(waiting(1), room(448))).toEqual([{ index: 0, count: 1 }])
  })

  it('[W30a] splits prompts into whole pieces and gives unused room to the next', () => {
    expect(planBatch(waiting(11, 1000), room(192))).toEqual([
      { index: 0, count: 10 },
      { index: 1, count: 128 },
    ])
  })

  it('[W30] lets prompts take turns', () => {
    const pending = [
      { count: 1000, lastTurn: 7 },
      { count: 500, lastTurn: 6 },
    ]
    expect(planBatch(pending, room(64))).toEqual([{ index: 1, count: 64 }])
  })
})

describe('pace', () => {
  it('[W32] keeps decodes short enough to cancel between them', () => {
    const pace = createPace(512)
    for (let decode = 0; decode < 20; decode++) pace.onDecode(128, 128)
    expect(pace.room(true)).toBe(128)
    expect(pace.room(false)).toBe(64)
  })

  it('uses the whole batch on a fast machine, and never less than a useful piece', () => {
    const fast = createPace(512)
    fast.onDecode(128, 1)
    expect(fast.room(true)).toBe(448)
    const slow = createPace(512)
    slow.onDecode(128, 60_000)
    expect(slow.room(false)).toBe(64)
  })
})
