// Limits the prompt tokens in one decode, based on how long decodes have taken so far. A decode can't be interrupted: while it lasts, no
// cancellation takes effect and no stream gets a token.

import { PIECE, type PromptRoom } from './plan-batch.ts'

const ALONE_MS = 180
const SHARED_MS = 100
/** Weight of the newest decode in the average. */
const NEWEST = 0.3

export interface Pace extends PromptRoom {
  onDecode(tokens: number, ms: number): void
}

export function createPace(batchSize: number): Pace {
  let msPerToken: number | undefined
  return {
    room(isAlone) {
      if (msPerToken === undefined) return PIECE
      const pieces = Math.floor((isAlone ? ALONE_MS : SHARED_MS) / (msPerToken * PIECE))
      return Math.max(PIECE, Math.min(pieces, Math.floor(batchSize / PIECE) - 1) * PIECE)
    },
    onDecode(tokens, ms) {
      // Small batches cost time per call, not per token.
      if (tokens < PIECE) return
      const measured = ms / tokens
      msPerToken = msPerToken === undefined ? measured : msPerToken + (measured - msPerToken) * NEWEST
    },
  }
}
