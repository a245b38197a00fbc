// On a CPU, numbers depend on how many tokens a decode has, and rounding turns a near tie between two tokens around. At temperature 0, a prompt
// has to give the same reply however fast the device is, however much of the prompt it has in memory, and on a device that continues the
// reply. So it is fixed how each token is evaluated: the whole blocks of a prompt, counted from its beginning, in decodes of one or more
// blocks; the rest of the prompt in one decode; and the reply one by one, or in decodes small enough to give the same numbers.

import { exactSize, type ExactSizes } from '../native/exact-sizes.ts'
import type { Generation } from './generation.ts'
import type { Token } from '../native/native.ts'
import { PIECE } from './plan-batch.ts'
import type { SlotNumbers } from './slots/slot-numbers.ts'
import type { Slot, SlotPlan } from './slots/slots.ts'

type Evaluated = Pick<Generation, 'prompt' | 'replayed' | 'isRepeatable'>

/** The pending tokens of the next piece, and one more: the last one is always left for another decode. */
export function untilPiece(
  evaluated: number,
  { generation, pending }: { generation: Evaluated; pending: readonly Token[] },
  sizes: ExactSizes,
): number {
  if (generation.isRepeatable !== true) return pending.length
  const ends = [endOfBlocks(generation), endOfPrompt(generation), evaluated + exactSize(sizes, evaluated)]
  const end = ends.find((at) => at > evaluated)!
  return Math.min(pending.length, end - evaluated + 1)
}

/** How many tokens to reuse. Up to a block of them is evaluated again if that gives the numbers of a prompt that nothing was reused for. */
export function repeatableReuse<Occupant>(
  { slot, source, reuse }: Pick<SlotPlan<Occupant>, 'slot' | 'source' | 'reuse'>,
  { generation }: { generation: Evaluated },
  {
    gpu,
    checkpoints,
    exactSizes: sizes,
  }: { gpu: string | false; checkpoints?: object | undefined; exactSizes: ExactSizes },
): number {
  if (generation.isRepeatable !== true || gpu !== false || checkpoints !== undefined) return reuse
  const { blocks, rest, steady } = (source ?? slot).numbers
  const blocksEnd = endOfBlocks(generation)
  const restEnd = endOfRest(generation, sizes)
  const sound = Math.min(reuse, steady)
  const isSame = blocks === blocksEnd && rest === restEnd && sound >= restEnd
  const same = isSame ? sound : wholeBlocks(Math.min(sound, blocks, blocksEnd))
  // More would make the next turn of a conversation slow: its last reply was never evaluated in blocks.
  return reuse - same < PIECE ? same : reuse
}

export interface NumberedPart {
  count: number
  slot: { readonly tokens: { readonly length: number }; readonly numbers: SlotNumbers }
  running: { generation: Evaluated }
}

/** Who takes part in the next decode. */
export interface Turns<Least> {
  next<Part extends Least>(parts: readonly Part[]): readonly Part[]
}

/**
 * Next to tokens of other slots, llama.cpp splits a block. So each block gets a decode of its own, and the tokens of other slots take turns
 * with blocks: a stream waits for one of them at most.
 */
export class BlockTurns implements Turns<NumberedPart> {
  readonly #gpu: string | false
  #wasBlock = false

  /** On a GPU, the numbers depend on the size of every batch anyway. */
  constructor({ gpu }: { gpu: string | false }) {
    this.#gpu = gpu
  }

  next<Part extends NumberedPart>(parts: readonly Part[]): readonly Part[] {
    if (this.#gpu !== false) return parts
    const block = parts.find(isBlock)
    const others = parts.filter((part) => !isBlock(part))
    const isTurn = block !== undefined && !(this.#wasBlock && others.length > 0)
    this.#wasBlock = isTurn
    return isTurn ? [block] : others
  }
}

/** Whole blocks of a prompt that has to give the same numbers every time. */
function isBlock({ count, slot, running: { generation } }: NumberedPart): boolean {
  const { length } = slot.tokens
  return (
    generation.isRepeatable === true &&
    count >= PIECE &&
    length === slot.numbers.blocks &&
    length < endOfBlocks(generation)
  )
}

/** Before the tokens of a part are added to its slot. `total` is the number of tokens in the whole decode. */
export function noteDecode(
  { tokens: { length }, numbers }: Pick<Slot<unknown>, 'tokens' | 'numbers'>,
  { count, total }: { count: number; total: number },
  sizes: ExactSizes,
): void {
  if (numbers.steady < length) return
  const [isAlone, followsBlocks] = [count === total, length === numbers.blocks]
  if (isAlone && followsBlocks && count >= PIECE) numbers.blocks = numbers.rest = length + count
  else if (total > exactSize(sizes, length))
    if (isAlone && followsBlocks) numbers.rest = length + count
    else return
  numbers.steady = length + count
}

// The last token of a prompt is evaluated alone.
function endOfPrompt({ prompt, replayed = 0 }: Evaluated): number {
  return prompt.length - replayed - 1
}

function endOfBlocks(generation: Evaluated): number {
  return wholeBlocks(endOfPrompt(generation))
}

/** The end of the blocks if what follows them in the prompt has the numbers of single tokens. */
function endOfRest(generation: Evaluated, sizes: ExactSizes): number {
  const [blocksEnd, end] = [endOfBlocks(generation), endOfPrompt(generation)]
  return end - blocksEnd > exactSize(sizes, blocksEnd) ? end : blocksEnd
}

function wholeBlocks(tokens: number): number {
  return Math.floor(tokens / PIECE) * PIECE
}
