// How many tokens a job took. Key limits, usage, metrics and the fair queue all read the count that its finish effect carries.

import type { Running } from './state.ts'

export interface TokenCount {
  readonly prompt: number
  /** The answers of all choices together. */
  readonly completion: number
}

export const NO_TOKENS: TokenCount = { prompt: 0, completion: 0 }

const CHARACTERS_PER_TOKEN = 4

/** For text that no device counted. A fraction: the parts of a text add up to the estimate of the whole. */
export function estimateTokens(characters: number): number {
  return characters / CHARACTERS_PER_TOKEN
}

/** The prompt as the device measured it, or as its length suggests, and the tokens delivered so far. */
export function deliveredTokens({ lease, promptTokens, deliveredTokens: completion }: Running): TokenCount {
  return {
    prompt: promptTokens ?? Math.ceil(estimateTokens(lease.job.ticket.promptSize)),
    completion: Math.ceil(completion),
  }
}

export function totalTokens({ prompt, completion }: TokenCount): number {
  return prompt + completion
}
