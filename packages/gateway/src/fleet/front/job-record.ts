// A job after its end, for counters and the log: no content.

import { countTokens } from '../scheduler/core/token-count.ts'
import type { Outcome, Ticket, TokenCount } from '../scheduler/core/types.ts'
import type { FrontJob, Running } from './front-job.ts'

export interface JobRecord {
  ticket: Ticket
  outcome: Outcome
  device: string | undefined
  tokens: TokenCount
  waitMs: number
  /** From submission to the first event; undefined if there was none. */
  firstEventMs: number | undefined
  /** What the time to the first event was expected to be, at the submission; undefined for most jobs: only samples are compared. */
  expectedMs: number | undefined
  totalMs: number
  /** How often it was offered to a device. */
  attempts: number
}

/** `counted` are the tokens as the device counted them. */
export function recordOf(job: FrontJob, outcome: Outcome, now: number, counted?: TokenCount): JobRecord {
  const { ticket, answer, granted, submittedAt } = job
  const run = countedRun(job, outcome)
  return {
    ticket,
    outcome,
    device: run?.attempt.of.device,
    tokens: (run && counted) ?? countTokens(ticket, granted.course, run),
    waitMs: (run?.acceptedAt ?? now) - submittedAt,
    firstEventMs: answer.firstEventAt === undefined ? undefined : answer.firstEventAt - submittedAt,
    expectedMs: granted.expectedMs,
    totalMs: now - submittedAt,
    attempts: answer.attempts,
  }
}

/** A device that only loaded the model has done nothing for the job. */
function countedRun({ state }: FrontJob, outcome: Outcome): Running | undefined {
  const run = state.name === 'lost' ? state.run : state.name === 'running' ? state : undefined
  if (run === undefined || run.isLoading) return undefined
  return state.name === 'running' || endsWithLoss(outcome) || isBegun(run) ? run : undefined
}

/** Otherwise the job was waiting again: what nobody could continue was for nothing, and nobody pays for it. */
function endsWithLoss({ kind }: Outcome): boolean {
  return ['device-lost', 'crashed', 'timed-out', 'refused-by-device', 'model-disabled'].includes(kind)
}

function isBegun({ nextSequence, attempt }: Running): boolean {
  return nextSequence > 0 && attempt.file !== undefined
}
