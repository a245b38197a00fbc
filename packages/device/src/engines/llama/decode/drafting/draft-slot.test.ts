import { describe, expect, it } from 'vitest'
import type { NativeContext, Token } from '../../native/native.ts'
import { DraftSlot, type Followed } from './draft-slot.ts'

/** Notes what the slot asks of the library. */
function open(vocabulary = 100) {
  const calls: string[] = []
  const context = {
    addToBatch: (_slot: number, first: number, tokens: Uint32Array) => {
      calls.push(`add ${tokens.join(',')} at ${first}`)
      return new Uint32Array(1)
    },
    removeTokenCellsFromSequence: (_slot: number, from: number) => calls.push(`cut at ${from}`) > 0,
    disposeSequence: () => calls.push('forget'),
  }
  return { slot: new DraftSlot(context as unknown as NativeContext, 0, vocabulary), calls }
}

const stream = (drafts: object, tokens: readonly Token[], last: Token, reused = 0): Followed => {
  return { drafts, slot: 0, tokens, last, reused }
}

const evaluate = (slot: DraftSlot, followed: Followed) => slot.add(slot.next(followed, slot.follow(followed))!, true)

describe('a slot of the draft', () => {
  it('evaluates only what is new, and forgets what was not drawn', () => {
    const { slot, calls } = open()
    const own = {}
    evaluate(slot, stream(own, [1, 2], 3))
    slot.add([4], true)
    slot.add([5], true)
    evaluate(slot, stream(own, [1, 2, 3, 4], 7))
    expect(calls).toEqual(['add 1,2,3 at 0', 'add 4 at 3', 'add 5 at 4', 'cut at 4', 'add 7 at 4'])
  })

  it('evaluates the last token again if it was a draft: its distribution is gone', () => {
    const { slot, calls } = open()
    const own = {}
    evaluate(slot, stream(own, [1], 2))
    slot.add([3], true)
    evaluate(slot, stream(own, [1, 2], 3))
    expect(calls).toEqual(['add 1,2 at 0', 'add 3 at 2', 'cut at 2', 'add 3 at 2'])
  })

  it('reuses for another stream only what the model reused', () => {
    const { slot, calls } = open()
    evaluate(slot, stream({}, [1, 2, 3, 4], 5))
    expect(slot.follow(stream({}, [1, 2, 3, 4, 5], 6, 2))).toBe(4)
    expect(slot.follow(stream({}, [1, 2, 3], 4, 0))).toBe(4)
    expect(calls.slice(1)).toEqual(['cut at 2', 'forget'])
  })

  it('gives up on tokens that the draft does not know', () => {
    const { slot } = open(10)
    const followed = stream({}, [1, 10], 3)
    expect(slot.next(followed, slot.follow(followed))).toBeUndefined()
  })
})
