// The one end of a job.

import type { Feature } from '@hearth/protocol'
import type { Full } from './budget/byte-budget.ts'

/** How a device failed. */
export interface Failure {
  retryable: boolean
  crashed: boolean
  /** Passed on to the reply if the job ends with this failure. */
  error: { code: string; message: string; param?: string }
}

/** After `retryMs` milliseconds the line should be much shorter; undefined if nobody can say. */
export type Outcome =
  | { kind: 'ended' }
  | { kind: 'cancelled' }
  | { kind: 'unsupported'; missing: readonly Feature[] }
  | { kind: 'queue-full'; scope: 'key' | 'organization'; retryMs?: number | undefined }
  | { kind: 'no-device'; retryMs?: number | undefined }
  /** A monthly budget; `renewsAt` is when the next month begins, in milliseconds since 1970. */
  | { kind: 'budget-used'; holder: 'key' | 'member' | 'organization'; tokensPerMonth: number; renewsAt: number }
  | { kind: 'model-disabled' }
  | { kind: 'key-revoked' }
  | { kind: 'refused-by-device'; error: Failure['error'] }
  | { kind: 'device-lost' }
  | { kind: 'crashed' }
  /** There was no room for its reply. */
  | { kind: 'out-of-memory'; full: Full }
  | { kind: 'timed-out'; limit: 'first-event' | 'gap' | 'total' }
  | { kind: 'shutdown' }

/** The ways a job can end without an answer, other than by its client. */
export type Failed = Exclude<Outcome, { kind: 'ended' | 'cancelled' }>
