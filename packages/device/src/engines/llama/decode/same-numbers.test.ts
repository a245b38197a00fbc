import { describe, expect, it } from 'vitest'
import { PrefixOwners } from './slots/prefix-owners.ts'
import { BlockTurns, noteDecode, repeatableReuse, untilPiece } from './same-numbers.ts'
import { shortened, type SlotNumbers } from './slots/slot-numbers.ts'
import type { Slot } from './slots/slots.ts'

/** Few tokens have the numbers of single ones everywhere, up to three, and none. */
const [ALL, FEW, NONE] = [63, 3, 1].map((size) => ({ short: size, long: size })) as [Sizes, Sizes, Sizes]
type Sizes = Parameters<typeof untilPiece>[2]

const tokens = (count: number) => Array.from({ length: count }, (_, index) => index)

function generationOf(prompt: number, replayed = 0) {
  return { prompt: tokens(prompt + replayed), replayed, isRepeatable: true }
}

function slotWith(count: number, blocks: number, rest = blocks, steady = count): Slot<string> {
  const numbers = { blocks, rest, steady }
  return { id: 0, tokens: tokens(count), numbers, owners: new PrefixOwners(), occupant: undefined, lastUsed: 0 }
}

/** The sizes of the pieces, as the batch loop evaluates them. */
function piecesOf(prompt: number, replayed = 0, reused = 0, sizes = ALL): number[] {
  const generation = generationOf(prompt, replayed)
  const pieces: number[] = []
  for (let evaluated = reused; evaluated < prompt + replayed;) {
    const count = untilPiece(evaluated, { generation, pending: generation.prompt.slice(evaluated) }, sizes)
    const piece = Math.max(1, count - 1)
    pieces.push(piece)
    evaluated += piece
  }
  return pieces
}

/** How many tokens of the prompt are reused if the slot has this many of them. */
function reuseOf(prompt: number, given: Parameters<typeof slotWith>, sizes = ALL): number {
  const slot = slotWith(...given)
  const reuse = Math.min(slot.tokens.length, prompt - 1)
  const running = { generation: generationOf(prompt) }
  return repeatableReuse({ slot, source: undefined, reuse }, running, { gpu: false, exactSizes: sizes })
}

describe('the pieces of a prompt at temperature 0', () => {
  it.each<[string, Parameters<typeof piecesOf>, number[]]>([
    ['are its whole blocks, and then the rest', [300], [256, 43, 1]],
    ['are its rest if it has no block', [60], [59, 1]],
    ['are its blocks if it has no rest', [129], [128, 1]],
    ['have the numbers of single tokens in a reply that another device began', [100, 150], [64, 35, 63, 63, 24, 1]],
    ['have them for as many tokens as share them', [100, 7, 0, FEW], [64, 35, 3, 3, 1, 1]],
    ['have them one by one if none share them', [100, 3, 0, NONE], [64, 35, 1, 1, 1, 1]],
    [
      'become smaller where attention adds up in another order',
      [250, 20, 0, { short: 8, long: 2 }],
      [192, 57, 7, 2, 2, 2, 2, 2, 2, 1, 1],
    ],
    ['begin where the memory of the device ends', [100, 150, 120], [63, 63, 3, 1]],
    ['begin there with few tokens at once', [100, 30, 120, FEW], [3, 3, 3, 1]],
  ])('%s', (_, given, pieces) => {
    expect(piecesOf(...given)).toEqual(pieces)
  })

  it('do not matter if chance decides', () => {
    const generation = { ...generationOf(300), isRepeatable: false }
    expect(untilPiece(0, { generation, pending: generation.prompt }, ALL)).toBe(300)
  })
})

describe('what a prompt reuses at temperature 0', () => {
  it.each<[string, [number, Parameters<typeof slotWith>, Sizes?], number]>([
    ['is all of it if it was evaluated the same way', [300, [350, 256]], 299],
    ['is all of it if it has no block', [60, [80, 0]], 59],
    ['ends with a block if it is another prompt that begins the same', [300, [200, 200]], 192],
    ['is nothing if another prompt without a block begins the same', [300, [40, 0]], 0],
    ['does not include the end of the prompt if it was evaluated in a block', [300, [299, 299]], 256],
    ['includes the rest if it was evaluated the same way', [100, [120, 64, 99], FEW], 99],
    ['leaves out a rest that is longer', [110, [120, 64, 99], FEW], 64],
    ['leaves out a rest that was cut elsewhere', [100, [120, 64, 80], FEW], 64],
    ['includes a few tokens after the blocks', [67, [66, 64], FEW], 66],
    ['ends where other jobs changed the numbers', [100, [120, 64, 64, 80]], 80],
    ['ends before a rest that other jobs changed', [100, [120, 64, 99, 80], FEW], 64],
    ['includes a rest that other jobs changed only after it', [100, [120, 64, 99, 110], FEW], 99],
    ['is the whole conversation after a long reply', [500, [400, 128]], 400],
  ])('%s', (_, given, reused) => {
    expect(reuseOf(...given)).toBe(reused)
  })

  it('is everything if chance decides', () => {
    const plan = { slot: slotWith(200, 200), source: undefined, reuse: 200 }
    expect(
      repeatableReuse(
        plan,
        { generation: { ...generationOf(300), isRepeatable: false } },
        { gpu: false, exactSizes: ALL },
      ),
    ).toBe(200)
  })
})

describe('a block of a prompt at temperature 0', () => {
  const part = (count: number, evaluated: number, prompt: number, isRepeatable = true) => ({
    count,
    slot: slotWith(evaluated, evaluated),
    running: { generation: { prompt: tokens(prompt), isRepeatable } },
  })
  const block = part(128, 0, 300)
  const stream = part(1, 40, 30)
  const rest = part(43, 256, 300)

  it('is evaluated without tokens of other slots, which take turns with it', () => {
    const turns = new BlockTurns({ gpu: false })
    expect(turns.next([stream, block, rest])).toEqual([block])
    expect(turns.next([stream, block, rest])).toEqual([stream, rest])
    expect(turns.next([stream, block])).toEqual([block])
  })

  it('follows another block if nothing else is there', () => {
    const turns = new BlockTurns({ gpu: false })
    expect(turns.next([block, block])).toEqual([block])
    expect(turns.next([block])).toEqual([block])
  })

  it('shares a decode on a GPU, and where chance decides', () => {
    const shared = [stream, part(128, 0, 300, false)]
    expect(new BlockTurns({ gpu: false }).next(shared)).toEqual(shared)
    expect(new BlockTurns({ gpu: 'cuda' }).next([stream, block])).toEqual([stream, block])
  })
})

describe('the numbers of a slot', () => {
  const after = (given: Parameters<typeof slotWith>, count: number, total: number, sizes: Sizes): SlotNumbers => {
    const slot = slotWith(...given)
    noteDecode(slot, { count, total }, sizes)
    return slot.numbers
  }

  it('are those of blocks as long as blocks follow each other', () => {
    expect(after([64, 64], 128, 128, ALL)).toEqual({ blocks: 192, rest: 192, steady: 192 })
    expect(after([65, 64], 64, 64, ALL)).toEqual({ blocks: 64, rest: 64, steady: 65 })
  })

  it('are those of single tokens in small decodes, also next to other slots', () => {
    expect(after([64, 64], 20, 40, ALL)).toEqual({ blocks: 64, rest: 64, steady: 84 })
    expect(after([90, 64, 80], 1, 2, FEW)).toEqual({ blocks: 64, rest: 80, steady: 91 })
  })

  it('are those of the rest of a prompt in a larger one', () => {
    expect(after([64, 64], 20, 20, FEW)).toEqual({ blocks: 64, rest: 84, steady: 84 })
  })

  it('depend on other slots in any other decode, and so do all after it', () => {
    expect(after([64, 64], 20, 21, FEW).steady).toBe(64)
    expect(after([64, 64], 64, 65, ALL)).toEqual({ blocks: 64, rest: 64, steady: 64 })
    expect(after([70, 64, 64, 65], 1, 1, ALL).steady).toBe(65)
  })

  it('are forgotten with the tokens, and with a part of their decode', () => {
    const { numbers } = slotWith(100, 64, 80)
    expect(shortened(numbers, 90)).toEqual({ blocks: 64, rest: 80, steady: 90 })
    expect(shortened(numbers, 79)).toEqual({ blocks: 64, rest: 64, steady: 64 })
    expect(shortened(numbers, 40)).toEqual({ blocks: 40, rest: 40, steady: 40 })
  })
})
