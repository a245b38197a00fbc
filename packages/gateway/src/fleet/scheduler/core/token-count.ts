// How many tokens a job used. Key limits, usage, metrics and the fair queue all read the one count in its finish effect.

import type { Job, Running } from './state.ts'
import type { TokenCount } from './types.ts'

export const NO_TOKENS: TokenCount = { prompt: 0, completion: 0 }

const CHARACTERS_PER_TOKEN = 4

/** For text that the device did not count. May be a fraction, so that the parts of a text add up to the whole. */
export function estimateTokens(characters: number): number {
  return characters / CHARACTERS_PER_TOKEN
}

/** The prompt, as the device reported it or as its length suggests, and the tokens delivered so far, also by devices before it. */
export function deliveredTokens({ lease, promptTokens, deliveredTokens: completion }: Running): TokenCount {
  return tokensOf(lease.job, completion, promptTokens)
}

/** Of a job that waits for a device to continue its reply. */
export function begunTokens(job: Job): TokenCount {
  return job.begun === undefined ? NO_TOKENS : tokensOf(job, 0)
}

function tokensOf(job: Job, completion: number, promptTokens?: number): TokenCount {
  return {
    prompt: promptTokens ?? Math.ceil(estimateTokens(job.ticket.promptSize)),
    completion: Math.ceil(job.begunTokens + completion),
  }
}

export function totalTokens({ prompt, completion }: TokenCount): number {
  return prompt + completion
}
