import { describe, expect, it } from 'vitest'
import { planSlot, type Slot } from './slots.ts'

const range = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index)

function slot(id: number, tokens: number[], lastUsed: number, isBusy = false): Slot<string> {
  return { id, tokens, lastUsed, occupant: isBusy ? 'someone' : undefined }
}

function plan(slots: Slot<string>[], prompt: number[]) {
  const found = planSlot(slots, prompt)
  return found && { slot: found.slot.id, source: found.source?.id, reuse: found.reuse }
}

describe('planSlot', () => {
  it('[W31] continues in the slot that shares the longest prefix', () => {
    const slots = [slot(0, range(0, 50), 1), slot(1, range(0, 90), 2), slot(2, [], 0)]
    expect(plan(slots, range(0, 100))).toEqual({ slot: 1, source: undefined, reuse: 90 })
  })

  it('takes the least recently used slot if nothing is shared', () => {
    const slots = [slot(0, range(500, 50), 7), slot(1, range(900, 50), 3), slot(2, range(700, 50), 5)]
    expect(plan(slots, range(0, 100))).toEqual({ slot: 1, source: undefined, reuse: 0 })
  })

  it('[W31] evaluates the last token again if the whole prompt is there', () => {
    expect(plan([slot(0, range(0, 100), 1)], range(0, 100))).toEqual({ slot: 0, source: undefined, reuse: 99 })
  })

  it('[W31] copies a shared prefix instead of overwriting a longer conversation', () => {
    const slots = [slot(0, range(0, 1000), 9), slot(1, range(5000, 400), 2)]
    const prompt = [...range(0, 200), ...range(8000, 50)]
    expect(plan(slots, prompt)).toEqual({ slot: 1, source: 0, reuse: 200 })
  })

  it('[W31] copies from a slot that is busy', () => {
    const slots = [slot(0, range(0, 300), 0, true), slot(1, [], 0)]
    expect(plan(slots, range(0, 250))).toEqual({ slot: 1, source: 0, reuse: 249 })
  })

  it('doesn’t copy just a few tokens', () => {
    const slots = [slot(0, range(0, 12), 0, true), slot(1, [], 0)]
    expect(plan(slots, range(0, 100))).toEqual({ slot: 1, source: undefined, reuse: 0 })
  })

  it('[W34] has no plan while every slot is busy', () => {
    expect(plan([slot(0, [], 0, true)], [1, 2])).toBeUndefined()
  })
})
