import { describe, expect, it } from 'vitest'
import { untilPiece } from './replay-pieces.ts'

/** The sizes of the pieces, as the batch loop evaluates them. */
function piecesOf(prompt: number, replayed: number, reused = 0): number[] {
  const generation = { prompt: Array.from({ length: prompt + replayed }, (_, index) => index), replayed }
  const pieces: number[] = []
  for (let evaluated = reused; evaluated < prompt + replayed;) {
    const count = untilPiece(evaluated, { generation, pending: generation.prompt.slice(evaluated) })
    const piece = Math.max(1, count - 1)
    pieces.push(piece)
    evaluated += piece
  }
  return pieces
}

describe('the pieces of a reply that another device began', () => {
  it('[W80k] are smaller than a block, after the prompt in one piece', () => {
    expect(piecesOf(100, 150)).toEqual([99, 63, 63, 24, 1])
  })

  it('[W80k] begin where the memory of the device ends', () => {
    expect(piecesOf(100, 150, 120)).toEqual([63, 63, 3, 1])
  })

  it('do not matter for a prompt without a reply', () => {
    expect(piecesOf(300, 0)).toEqual([299, 1])
  })
})
