// On a CPU, attention has one kernel for 64 tokens or more and another one for fewer. They round differently, which turns a near tie
// between two tokens around. At temperature 0, a prompt has to give the same reply however fast the device is, however much of the prompt it
// has in memory, and on a device that continues the reply. So the kernel of each token is fixed: the whole blocks of a prompt, counted from
// its beginning, go through the first one; the rest of the prompt and the reply go through the second one.

import type { Generation } from './generation.ts'
import type { Token } from '../native/native.ts'
import { PIECE } from './plan-batch.ts'
import type { Slot, SlotPlan } from './slots/slots.ts'

type Evaluated = Pick<Generation, 'prompt' | 'replayed' | 'isRepeatable'>

/** The pending tokens of the next piece, and one more: the last one is always left for another decode. */
export function untilPiece(
  evaluated: number,
  { generation, pending }: { generation: Evaluated; pending: readonly Token[] },
): number {
  if (generation.isRepeatable !== true) return pending.length
  const blocksEnd = endOfBlocks(generation)
  const end = evaluated < blocksEnd ? blocksEnd : evaluated + PIECE - 1
  return Math.min(pending.length, end - evaluated + 1)
}

/** How many tokens to reuse. Up to a block of them is evaluated again if that gives the numbers of a prompt that nothing was reused for. */
export function repeatableReuse<Occupant>(
  { slot, source, reuse }: Pick<SlotPlan<Occupant>, 'slot' | 'source' | 'reuse'>,
  generation: Evaluated,
): number {
  if (generation.isRepeatable !== true) return reuse
  const { blocks } = source ?? slot
  const blocksEnd = endOfBlocks(generation)
  const same = blocks === blocksEnd && reuse >= blocksEnd ? reuse : wholeBlocks(Math.min(reuse, blocks, blocksEnd))
  // More would make the next turn of a conversation slow: its last reply was never evaluated in blocks.
  return reuse - same < PIECE ? same : reuse
}

interface PlannedPart {
  count: number
  slot: { readonly tokens: { readonly length: number }; readonly blocks: number }
  running: { generation: Evaluated }
}

/**
 * Next to tokens of other slots, llama.cpp splits a block. So each block gets a decode of its own, and the tokens of other slots take turns
 * with blocks: a stream waits for one of them at most.
 */
export class BlockTurns {
  readonly #gpu: string | false
  #wasBlock = false

  /** On a GPU, the numbers depend on the size of every batch anyway. */
  constructor({ gpu }: { gpu: string | false }) {
    this.#gpu = gpu
  }

  next<Part extends PlannedPart>(parts: readonly Part[]): readonly Part[] {
    if (this.#gpu !== false) return parts
    const block = parts.find(isBlock)
    const others = parts.filter((part) => !isBlock(part))
    const isTurn = block !== undefined && !(this.#wasBlock && others.length > 0)
    this.#wasBlock = isTurn
    return isTurn ? [block] : others
  }
}

/** Whole blocks of a prompt that has to give the same numbers every time. */
function isBlock({ count, slot, running: { generation } }: PlannedPart): boolean {
  const { length } = slot.tokens
  return (
    generation.isRepeatable === true && count >= PIECE && length === slot.blocks && length < endOfBlocks(generation)
  )
}

export function noteBlocks<Occupant>(slot: Slot<Occupant>, count: number, isAlone: boolean): void {
  if (isAlone && count >= PIECE && slot.tokens.length === slot.blocks) slot.blocks += count
}

// The last token of a prompt is evaluated alone.
function endOfBlocks({ prompt, replayed = 0 }: Evaluated): number {
  return wholeBlocks(prompt.length - replayed - 1)
}

function wholeBlocks(tokens: number): number {
  return Math.floor(tokens / PIECE) * PIECE
}
