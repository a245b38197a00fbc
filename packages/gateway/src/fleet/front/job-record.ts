import type { Outcome, Ticket, TokenCount } from '../scheduler/core/types.ts'

/** A job after its end, for counters and the log: no content. */
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
