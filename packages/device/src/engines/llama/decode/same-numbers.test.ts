import { describe, expect, it } from 'vitest'
import { PrefixOwners } from './slots/prefix-owners.ts'
import { BlockTurns, noteBlocks, repeatableReuse, untilPiece } from './same-numbers.ts'
import type { Slot } from './slots/slots.ts'

const tokens = (count: number) => Array.from({ length: count }, (_, index) => index)

function generationOf(prompt: number, replayed = 0) {
  return { prompt: tokens(prompt + replayed), replayed, isRepeatable: true }
}

function slotWith(count: number, blocks: number): Slot<string> {
  return { id: 0, tokens: tokens(count), blocks, owners: new PrefixOwners(), occupant: undefined, lastUsed: 0 }
}

/** The sizes of the pieces, as the batch loop evaluates them. */
function piecesOf(prompt: number, replayed = 0, reused = 0): number[] {
  const generation = generationOf(prompt, replayed)
  const pieces: number[] = []
  for (let evaluated = reused; evaluated < prompt + replayed;) {
    const count = untilPiece(evaluated, { generation, pending: generation.prompt.slice(evaluated) })
    const piece = Math.max(1, count - 1)
    pieces.push(piece)
    evaluated += piece
  }
  return pieces
}

/** How many tokens of the prompt are reused if the slot has this many of them. */
function reuseOf(prompt: number, [count, blocks]: [count: number, blocks: number]): number {
  const slot = slotWith(count, blocks)
  return repeatableReuse({ slot, source: undefined, reuse: Math.min(count, prompt - 1) }, generationOf(prompt))
}

describe('the pieces of a prompt at temperature 0', () => {
  it('[W1a] are its whole blocks, and then the rest', () => {
    expect(piecesOf(300)).toEqual([256, 43, 1])
    expect(piecesOf(60)).toEqual([59, 1])
    expect(piecesOf(129)).toEqual([128, 1])
  })

  it('[W1a] are smaller than a block after that, in a reply that another device began', () => {
    expect(piecesOf(100, 150)).toEqual([64, 63, 63, 59, 1])
  })

  it('[W1a] begin where the memory of the device ends', () => {
    expect(piecesOf(100, 150, 120)).toEqual([63, 63, 3, 1])
  })

  it('do not matter if chance decides', () => {
    const generation = { ...generationOf(300), isRepeatable: false }
    expect(untilPiece(0, { generation, pending: generation.prompt })).toBe(300)
  })
})

describe('what a prompt reuses at temperature 0', () => {
  it('[W1a] is all of it if it was evaluated the same way', () => {
    expect(reuseOf(300, [350, 256])).toBe(299)
    expect(reuseOf(60, [80, 0])).toBe(59)
  })

  it('[W1a] ends with a block if it is another prompt that begins the same', () => {
    expect(reuseOf(300, [200, 200])).toBe(192)
    expect(reuseOf(300, [40, 0])).toBe(0)
  })

  it('[W1a] does not include the end of the prompt if it was evaluated in a block', () => {
    expect(reuseOf(300, [299, 299])).toBe(256)
  })

  it('[W31] is the whole conversation after a long reply', () => {
    expect(reuseOf(500, [400, 128])).toBe(400)
  })

  it('[W31] is everything if chance decides', () => {
    const plan = { slot: slotWith(200, 200), source: undefined, reuse: 200 }
    expect(repeatableReuse(plan, { ...generationOf(300), isRepeatable: false })).toBe(200)
  })
})

describe('a block of a prompt at temperature 0', () => {
  const part = (count: number, evaluated: number, prompt: number, isRepeatable = true) => ({
    count,
    slot: { tokens: tokens(evaluated), blocks: evaluated },
    running: { generation: { prompt: tokens(prompt), isRepeatable } },
  })
  const block = part(128, 0, 300)
  const stream = part(1, 40, 30)
  const rest = part(43, 256, 300)

  it('[W1a] is evaluated without tokens of other slots, which take turns with it', () => {
    const turns = new BlockTurns({ gpu: false })
    expect(turns.next([stream, block, rest])).toEqual([block])
    expect(turns.next([stream, block, rest])).toEqual([stream, rest])
    expect(turns.next([stream, block])).toEqual([block])
  })

  it('[W1a] follows another block if nothing else is there', () => {
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

describe('the blocks of a slot', () => {
  it('grow with every block at their end', () => {
    const slot = slotWith(64, 64)
    noteBlocks(slot, 128, true)
    expect(slot.blocks).toBe(192)
  })

  it('end with smaller pieces, and where other slots were evaluated too', () => {
    const slot = slotWith(64, 64)
    noteBlocks(slot, 63, true)
    noteBlocks(slot, 64, false)
    expect(slot.blocks).toBe(64)
    slot.tokens.push(1)
    noteBlocks(slot, 64, true)
    expect(slot.blocks).toBe(64)
  })
})
