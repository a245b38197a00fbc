// A reply that another device drew token by token is evaluated in pieces. The kernels for large pieces add numbers in another order than
// those for single tokens: the last bits differ, and a near tie between two tokens would be decided differently. Pieces below the size of a
// block go through the kernels for single tokens.

import type { Generation } from './generation.ts'
import type { Token } from '../native/native.ts'
import { PIECE } from './plan-batch.ts'

/** The pending tokens of the next piece, and one more: the last one is always left for another decode. */
export function untilPiece(
  evaluated: number,
  { generation, pending }: { generation: Pick<Generation, 'prompt' | 'replayed'>; pending: readonly Token[] },
): number {
  const { prompt, replayed = 0 } = generation
  if (replayed === 0) return pending.length
  // The first device evaluated the prompt up to its last token in one piece, too.
  const promptEnd = prompt.length - replayed - 1
  const end = evaluated < promptEnd ? promptEnd : evaluated + PIECE - 1
  return Math.min(pending.length, end - evaluated + 1)
}
