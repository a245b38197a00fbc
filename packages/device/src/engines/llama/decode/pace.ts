// How many prompt tokens one decode may hold, from how long decodes took so far. A decode can't be interrupted: its length is how late a
// cancellation is noticed, and how long running streams stand still.

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
      // Small batches cost per call rather than per token.
      if (tokens < PIECE) return
      const measured = ms / tokens
      msPerToken = msPerToken === undefined ? measured : msPerToken + (measured - msPerToken) * NEWEST
    },
  }
}
