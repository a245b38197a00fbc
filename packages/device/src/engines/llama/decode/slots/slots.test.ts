import { describe, expect, it } from 'vitest'
import type { PrefixScope } from '@hearth/protocol'
import type { EngineScope } from '../../../engine.ts'
import { PrefixOwners } from './prefix-owners.ts'
import { noNumbers } from './slot-numbers.ts'
import { planSlot, type Slot } from './slots.ts'

const COPY_COST = 16

const range = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index)

function slot(id: number, tokens: number[], lastUsed: number, isBusy = false): Slot<string> {
  return {
    id,
    tokens,
    numbers: noNumbers(),
    owners: new PrefixOwners(),
    lastUsed,
    occupant: isBusy ? 'someone' : undefined,
  }
}

/** A slot in which jobs of these scopes began after so many tokens, in this order. */
function slotOf(id: number, tokens: number[], begun: Record<string, number>): Slot<string> {
  const made = slot(id, tokens, 1)
  for (const [name, kept] of Object.entries(begun)) made.owners.begin({ name }, kept)
  return made
}

function plan(slots: Slot<string>[], prompt: number[], copyCost = COPY_COST) {
  const found = planSlot(slots, prompt, { name: 'a' }, copyCost)
  return found && { slot: found.slot.id, source: found.source?.id, reuse: found.reuse }
}

describe('planSlot', () => {
  it('continues in the slot that shares the longest prefix', () => {
    const slots = [slot(0, range(0, 50), 1), slot(1, range(0, 90), 2), slot(2, [], 0)]
    expect(plan(slots, range(0, 100))).toEqual({ slot: 1, source: undefined, reuse: 90 })
  })

  it('takes the least recently used slot if nothing is shared', () => {
    const slots = [slot(0, range(500, 50), 7), slot(1, range(900, 50), 3), slot(2, range(700, 50), 5)]
    expect(plan(slots, range(0, 100))).toEqual({ slot: 1, source: undefined, reuse: 0 })
  })

  it('evaluates the last token again if the whole prompt is there', () => {
    expect(plan([slot(0, range(0, 100), 1)], range(0, 100))).toEqual({ slot: 0, source: undefined, reuse: 99 })
  })

  it('copies a shared prefix instead of overwriting a longer conversation', () => {
    const slots = [slot(0, range(0, 1000), 9), slot(1, range(5000, 400), 2)]
    const prompt = [...range(0, 200), ...range(8000, 50)]
    expect(plan(slots, prompt)).toEqual({ slot: 1, source: 0, reuse: 200 })
  })

  it('copies from a slot that is busy', () => {
    const slots = [slot(0, range(0, 300), 0, true), slot(1, [], 0)]
    expect(plan(slots, range(0, 250))).toEqual({ slot: 1, source: 0, reuse: 249 })
  })

  it('copies nothing that is evaluated faster', () => {
    const slots = [slot(0, range(0, 60), 0, true), slot(1, [], 0)]
    expect(plan(slots, range(0, 100), 60)).toEqual({ slot: 1, source: 0, reuse: 60 })
    expect(plan(slots, range(0, 100), 61)).toEqual({ slot: 1, source: undefined, reuse: 0 })
  })

  it('keeps busy slots together, and copies a conversation there', () => {
    const busy = [slot(4, range(0, 300), 0, true), slot(5, range(400, 300), 0, true)]
    const slots = [slot(0, range(800, 90), 9), slot(1, [], 0), slot(3, [], 8), ...busy, slot(6, range(500, 9), 7)]
    expect(plan(slots, range(2000, 100))).toEqual({ slot: 6, source: undefined, reuse: 0 })
    expect(plan(slots, range(800, 100))).toEqual({ slot: 6, source: 0, reuse: 90 })
  })

  it('closes a gap between busy slots', () => {
    const slots = [slot(0, [], 0), slot(1, [], 0, true), slot(2, [], 5), slot(3, [], 0, true), slot(4, [], 0)]
    expect(plan(slots, range(0, 9))).toEqual({ slot: 2, source: undefined, reuse: 0 })
  })

  it.each<[string, Record<string, number>, PrefixScope, { reuse: number; own: number }]>([
    ['all that its own scope evaluated', { a: 0 }, { name: 'a' }, { reuse: 80, own: 80 }],
    ['nothing of another scope', { b: 0 }, { name: 'a' }, { reuse: 80, own: 0 }],
    ['the part before another scope continued', { a: 0, b: 30 }, { name: 'a' }, { reuse: 80, own: 30 }],
    ['everything after it continued another', { b: 0, a: 30 }, { name: 'a' }, { reuse: 80, own: 80 }],
    ['all, and reuses it, if separate', { a: 0 }, { name: 'a', isSeparate: true }, { reuse: 80, own: 80 }],
    ['nothing, and reuses nothing, if separate', { b: 0 }, { name: 'a', isSeparate: true }, { reuse: 0, own: 0 }],
    ['and reuses only its part, if separate', { a: 0, b: 30 }, { name: 'a', isSeparate: true }, { reuse: 30, own: 30 }],
  ])('[I88b] counts as own %s', (_, begun, scope, expected) => {
    const prompt = [...range(0, 80), ...range(900, 20)]
    expect(planSlot([slotOf(0, range(0, 100), begun)], prompt, scope, COPY_COST)).toMatchObject(expected)
  })

  it('reuses nothing of a private scope for another, and all of it for the same', () => {
    const secret = { name: 's', isSeparate: true, isPrivate: true }
    const prompt = range(0, 100)
    const reuse = (taken: Slot<string>, scope: EngineScope) => planSlot([taken], prompt, scope, COPY_COST)?.reuse
    const taken = slotOf(0, range(0, 90), { a: 0 })
    taken.owners.begin(secret, 40)
    expect([reuse(taken, { name: 'a' }), reuse(taken, { name: 'b' }), reuse(taken, secret)]).toEqual([40, 40, 90])
    const copied = slotOf(1, range(0, 90), {})
    copied.owners.copyFrom(taken.owners)
    expect([reuse(copied, { name: 'b' }), reuse(copied, secret)]).toEqual([40, 90])
    taken.owners.begin({ name: 'a' }, 40)
    expect([reuse(taken, { name: 'b' }), reuse(taken, secret)]).toEqual([90, 40])
  })

  it('[I88b] counts what its own scope evaluated in another slot', () => {
    const slots = [slotOf(0, range(0, 100), { b: 0 }), slotOf(1, range(0, 40), { a: 0 })]
    expect(planSlot(slots, range(0, 90), { name: 'a' }, COPY_COST)).toMatchObject({ reuse: 89, own: 40 })
  })

  it('[I88b] forgets the scope that was here longest ago when there are too many', () => {
    const begun = Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`scope ${index}`, 50]))
    const made = [slotOf(0, range(0, 100), begun)]
    const own = (name: string) => planSlot(made, range(0, 90), { name }, COPY_COST)!.own
    expect([own('scope 0'), own('scope 1'), own('scope 64')]).toEqual([0, 50, 89])
  })

  it('has no plan while every slot is busy', () => {
    expect(plan([slot(0, [], 0, true)], [1, 2])).toBeUndefined()
  })
})

describe('planSlot on a model that can only go back to checkpoints', () => {
  /** A slot with checkpoints after so many tokens, in ascending order. */
  function slotAt(id: number, tokens: number[], lengths: number[], isBusy = false): Slot<string> {
    const lengthUpTo = (most: number) => lengths.findLast((length) => length <= most) ?? 0
    return { ...slot(id, tokens, 1, isBusy), checkpoints: { lengthUpTo } }
  }

  it('continues after the last checkpoint that the prompt shares', () => {
    const slots = [slotAt(0, range(0, 90), [20, 60, 80])]
    expect(plan(slots, [...range(0, 70), ...range(500, 30)])).toEqual({ slot: 0, source: undefined, reuse: 60 })
    expect(plan(slots, [...range(0, 19), ...range(500, 30)])).toEqual({ slot: 0, source: undefined, reuse: 0 })
  })

  it('continues after all tokens of a slot without a checkpoint', () => {
    expect(plan([slotAt(0, range(0, 90), [])], range(0, 100))).toEqual({ slot: 0, source: undefined, reuse: 90 })
  })

  it('prefers the slot with the better checkpoint to the one with more of the same tokens', () => {
    const slots = [slotAt(0, range(0, 90), [20]), slotAt(1, range(0, 70), [60])]
    const prompt = [...range(0, 65), ...range(500, 30)]
    expect(plan(slots, prompt)).toEqual({ slot: 1, source: undefined, reuse: 60 })
  })

  it('copies a checkpoint of a running job', () => {
    const slots = [slotAt(0, range(0, 105), [96], true), slotAt(1, [], [])]
    expect(plan(slots, range(0, 100))).toEqual({ slot: 1, source: 0, reuse: 96 })
  })

  it('goes back to a checkpoint within what the same key sent, if keys are separate', () => {
    const busy = slotAt(0, range(0, 90), [20, 60])
    busy.owners.begin({ name: 'bob' }, 0)
    busy.owners.begin({ name: 'ann' }, 50)
    const prompt = range(0, 100)
    expect(planSlot([busy], prompt, { name: 'bob', isSeparate: true }, COPY_COST)).toMatchObject({ reuse: 20, own: 20 })
    expect(planSlot([busy], prompt, { name: 'cleo', isSeparate: true }, COPY_COST)).toMatchObject({ reuse: 0, own: 0 })
    expect(planSlot([busy], prompt, { name: 'ann', isSeparate: true }, COPY_COST)).toMatchObject({ reuse: 90, own: 90 })
  })

  it('[I88b] counts what the same key sent, wherever the checkpoint is', () => {
    const shared = slotAt(0, range(0, 90), [20, 60])
    shared.owners.begin({ name: 'bob' }, 0)
    shared.owners.begin({ name: 'ann' }, 50)
    const prompt = [...range(0, 65), ...range(500, 30)]
    expect(planSlot([shared], prompt, { name: 'bob' }, COPY_COST)).toMatchObject({ reuse: 60, own: 50 })
  })
})
