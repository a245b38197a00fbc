// How many tokens a job used. Key limits, usage, metrics and the fair queue all count the same way.

import type { Course, Ticket, TokenCount } from './job.ts'

const NO_TOKENS: TokenCount = { prompt: 0, completion: 0 }

const CHARACTERS_PER_TOKEN = 4

/** For text that the device did not count. May be a fraction, so that the parts of a text add up to the whole. */
export function estimateTokens(characters: number): number {
  return characters / CHARACTERS_PER_TOKEN
}

interface CountedRun {
  readonly promptTokens: number | undefined
  readonly deliveredTokens: number
}

/**
 * The prompt, as the device reported it or as its length suggests, and what was delivered by this attempt and those that it continued: the
 * client never sees what other attempts produced, so nobody pays for it.
 */
export function countTokens({ promptSize }: Ticket, { begun, begunTokens }: Course, run?: CountedRun): TokenCount {
  if (run === undefined && begun === undefined) return NO_TOKENS
  return {
    prompt: run?.promptTokens ?? Math.ceil(estimateTokens(promptSize)),
    completion: Math.ceil(begunTokens + (run?.deliveredTokens ?? 0)),
  }
}

export function totalTokens({ prompt, completion }: TokenCount): number {
  return prompt + completion
}
