// A job after its end, for counters and the log: no content.

import { estimateTokens, type Outcome } from '@hearth/chat'
import type { TokenCount } from '../terms/job.ts'
import { runOf, type Job, type Running } from './job.ts'

export type JobRecord = ReturnType<typeof recordOf>

const NO_TOKENS: TokenCount = { prompt: 0, completion: 0 }

/** With `last`, the job ends because of this attempt; `counted` are the tokens as its device counted them. */
export function recordOf(job: Job, outcome: Outcome, now: number, last?: Running, counted?: TokenCount) {
  const { ticket, answer, submittedAt } = job
  const run = countedRun(job, last)
  return {
    ticket,
    outcome,
    device: run?.device,
    tokens: (run && counted) ?? countTokens(job, outcome, run),
    waitMs: (answer.begunAt ?? run?.acceptedAt ?? now) - submittedAt,
    /** From submission to the first event; undefined if there was none. */
    firstEventMs: answer.firstEventAt === undefined ? undefined : answer.firstEventAt - submittedAt,
    /** The expected time to the first event, at submission; undefined for most jobs: only samples are compared. */
    expectedMs: job.expectedMs,
    totalMs: now - submittedAt,
    /** How often it was offered to a device. */
    attempts: answer.attempts - answer.unsent,
    takeOver: answer.takeOver,
  }
}

/**
 * A device that only loaded the model has done nothing for the job. A lost attempt counts if the
 * job ended with it, or if the next device could have continued it; otherwise it was for nothing,
 * and nobody pays for it.
 */
function countedRun(job: Job, last: Running | undefined): Running | undefined {
  const run = last ?? runOf(job)
  if (run !== undefined) return run.isLoading ? undefined : run
  return job.lost !== undefined && isBegun(job.lost) ? job.lost : undefined
}

function isBegun({ nextSequence, offer }: Running): boolean {
  return nextSequence > 0 && offer.file !== undefined
}

/**
 * How many tokens a job used. Key limits, usage, metrics and the fair queue all count the same way: the prompt, as the device reported it or
 * as its length suggests, and what was delivered by this attempt and those that it continued: the client never sees what other attempts
 * produced, so nobody pays for it. A request that its device rejects, say because it is too long, counts nothing.
 */
function countTokens({ ticket, begun, begunTokens }: Job, outcome: Outcome, run?: Running): TokenCount {
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
