// Limits the prompt tokens in one decode, based on how long decodes have taken so far. A decode can't be interrupted: while it lasts, no
// cancellation takes effect and no stream gets a token.

import { PIECE, type PromptRoom } from './plan-batch.ts'

interface Limits {
  /** The longest decode of prompts while no stream runs, and while streams run. */
  aloneMs: number
  sharedMs: number
}

const CPU: Limits = { aloneMs: 180, sharedMs: 100 }
/** A GPU needs large batches to be fast, and reads a whole prompt in the time that a CPU takes for a piece of it. */
const GPU: Limits = { aloneMs: 300, sharedMs: 200 }
/** Weight of the newest decode in the average. */
const NEWEST = 0.3

export interface Pace extends PromptRoom {
  onDecode(tokens: number, ms: number): void
}

export interface PaceOptions {
  batchSize: number
  gpu: string | false
}

export function createPace({ batchSize, gpu }: PaceOptions): Pace {
  const limits = gpu === false ? CPU : GPU
  const most = Math.max(PIECE, (Math.floor(batchSize / PIECE) - 1) * PIECE)
  let msPerToken: number | undefined
  return {
    startsStreamsFirst: gpu !== false,
    room(isAlone) {
      if (msPerToken === undefined) return gpu === false ? PIECE : most
      const pieces = Math.floor((isAlone ? limits.aloneMs : limits.sharedMs) / (msPerToken * PIECE))
      return Math.min(Math.max(PIECE, pieces * PIECE), most)
    },
    onDecode(tokens, ms) {
      // Small batches cost time per call, not per token.
      if (tokens < (gpu === false ? PIECE : most / 4)) return
      const measured = ms / tokens
      msPerToken = msPerToken === undefined ? measured : msPerToken + (measured - msPerToken) * NEWEST
    },
  }
}
