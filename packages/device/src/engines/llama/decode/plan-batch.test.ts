import { describe, expect, it } from 'vitest'
import { createPace } from './pace.ts'
import { planBatch } from './plan-batch.ts'

/** How many tokens go into the batch, in order, by the index of what waits. */
const plan = (...given: Parameters<typeof planBatch>) =>
  planBatch(...given).map(({ index, count }) => `${index}: ${count}`)

const room = (alone: number, shared = alone) => ({
  room: (isAlone: boolean) => (isAlone ? alone : shared),
  startsStreamsFirst: false,
})
const waiting = (...counts: number[]) => counts.map((count) => ({ count, lastTurn: 0, isStarting: false }))

describe('planBatch', () => {
  it('gives every running stream its token before any prompt', () => {
    expect(plan(waiting(1, 1500, 1), room(512, 128))).toEqual(['0: 1', '2: 1', '1: 128'])
  })

  it('lets a prompt fill the batch if nothing else runs', () => {
    expect(plan(waiting(1500), room(448, 128))).toEqual(['0: 448'])
  })

  it('evaluates the last token of a prompt alone', () => {
    expect(plan(waiting(40), room(448))).toEqual(['0: 39'])
    expect(plan(waiting(1), room(448))).toEqual(['0: 1'])
  })

  it('splits prompts into whole pieces and gives unused room to the next', () => {
    expect(plan(waiting(11, 1000), room(192))).toEqual(['0: 10', '1: 128'])
  })

  it('lets prompts take turns', () => {
    const pending = [
      { count: 1000, lastTurn: 7, isStarting: false },
      { count: 500, lastTurn: 6, isStarting: false },
    ]
    expect(plan(pending, room(64))).toEqual(['1: 64'])
  })

  it('finishes a prompt that was begun before it begins others', () => {
    const begun = { count: 546, lastTurn: 1, isStarting: false }
    expect(plan([...waiting(1, 1), begun, ...waiting(1250, 1250)], room(1984)).slice(2)).toEqual([
      '2: 545',
      '3: 1249',
      '4: 128',
    ])
  })

  it('on a GPU, lets prompts wait for the first token of another', () => {
    const pending = [...waiting(1, 1500), { count: 1, lastTurn: 3, isStarting: true }]
    const streams = ['0: 1', '2: 1']
    expect(plan(pending, { ...room(448), startsStreamsFirst: true })).toEqual(streams)
    expect(plan(pending, room(448))).toEqual([...streams, '1: 448'])
  })
})

describe('pace', () => {
  it('keeps decodes short enough to cancel between them', () => {
    const pace = createPace({ batchSize: 512, gpu: false })
    for (let decode = 0; decode < 20; decode++) pace.onDecode(128, 128)
    expect(pace.room(true)).toBe(128)
    expect(pace.room(false)).toBe(64)
  })

  it('uses the whole batch on a fast machine, and never less than a useful piece', () => {
    const fast = createPace({ batchSize: 512, gpu: false })
    fast.onDecode(128, 1)
    expect(fast.room(true)).toBe(448)
    const slow = createPace({ batchSize: 512, gpu: false })
    slow.onDecode(128, 60_000)
    expect(slow.room(false)).toBe(64)
  })

  it('fills whole batches on a GPU, unless streams would stand still too long', () => {
    const pace = createPace({ batchSize: 2048, gpu: 'cuda' })
    expect(pace.room(false)).toBe(1984)
    for (let decode = 0; decode < 20; decode++) pace.onDecode(1984, 160)
    expect(pace.room(false)).toBe(1984)
    for (let decode = 0; decode < 40; decode++) pace.onDecode(1984, 1984)
    expect(pace.room(false)).toBe(192)
  })

  it('learns nothing from small batches on a GPU: they cost time per call', () => {
    const pace = createPace({ batchSize: 2048, gpu: 'cuda' })
    pace.onDecode(100, 50)
    expect(pace.room(false)).toBe(1984)
  })
})
