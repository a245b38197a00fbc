// How many tokens a job used. Key limits, usage, metrics and the fair queue all count the same way.

import { estimateTokens, type Outcome } from '@hearth/chat'
import type { TokenCount } from '../terms/job.ts'
import type { Job, Running } from './job.ts'

const NO_TOKENS: TokenCount = { prompt: 0, completion: 0 }

/**
 * The prompt, as the device reported it or as its length suggests, and what was delivered by this attempt and those that it continued: the
 * client never sees what other attempts produced, so nobody pays for it. A request that its device rejects, say because it is too long,
 * counts nothing.
 */
export function countTokens({ ticket, begun, begunTokens }: Job, outcome: Outcome, run?: Running): TokenCount {
  const delivered = begunTokens + (run?.deliveredTokens ?? 0)
  if (run === undefined && begun === undefined) return NO_TOKENS
  if (outcome.kind === 'refused-by-device' && delivered === 0) return NO_TOKENS
  return {
    prompt: run?.promptTokens ?? Math.ceil(estimateTokens(ticket.promptSize)),
    completion: Math.ceil(delivered),
  }
}

export function totalTokens({ prompt, completion }: TokenCount): number {
  return prompt + completion
}
