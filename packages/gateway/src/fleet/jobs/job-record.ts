// A job after its end, for counters and the log: no content.

import type { Outcome } from '@hearth/chat'
import { countTokens } from '../terms/token-count.ts'
import type { TakeOver, Ticket, TokenCount } from '../terms/job.ts'
import type { FrontJob, Running } from './front-job.ts'

export interface JobRecord {
  ticket: Ticket
  outcome: Outcome
  device: string | undefined
  tokens: TokenCount
  waitMs: number
  /** From submission to the first event; undefined if there was none. */
  firstEventMs: number | undefined
  /** The expected time to the first event, at submission; undefined for most jobs: only samples are compared. */
  expectedMs: number | undefined
  totalMs: number
  /** How often it was offered to a device. */
  attempts: number
  takeOver: TakeOver | undefined
}

/** Facts from elsewhere about the attempt that a job ended with. */
export interface LastAttempt {
  /** Its number, if the scheduler ended the job because of it. */
  attempt?: number | undefined
  /** As the device counted them. */
  tokens?: TokenCount | undefined
}

export function recordOf(job: FrontJob, outcome: Outcome, now: number, last: LastAttempt = {}): JobRecord {
  const { ticket, answer, granted, submittedAt } = job
  const run = countedRun(job, last)
  return {
    ticket,
    outcome,
    device: run?.attempt.of.device,
    tokens: (run && last.tokens) ?? countTokens(ticket, granted.course, outcome, run),
    waitMs: (answer.begunAt ?? run?.acceptedAt ?? now) - submittedAt,
    firstEventMs: answer.firstEventAt === undefined ? undefined : answer.firstEventAt - submittedAt,
    expectedMs: granted.expectedMs,
    totalMs: now - submittedAt,
    attempts: answer.attempts,
    takeOver: answer.takeOver,
  }
}

// A device that only loaded the model has done nothing for the job. A lost attempt counts if the job ended with it, or if the next device
// could have continued it; otherwise it was for nothing, and nobody pays for it.
function countedRun({ state }: FrontJob, { attempt }: LastAttempt): Running | undefined {
  if (state.name === 'running') return state.isLoading ? undefined : state
  if (state.name !== 'lost' || state.run.isLoading) return undefined
  return state.run.attempt.of.attempt === attempt || isBegun(state.run) ? state.run : undefined
}

function isBegun({ nextSequence, attempt }: Running): boolean {
  return nextSequence > 0 && attempt.file !== undefined
}
