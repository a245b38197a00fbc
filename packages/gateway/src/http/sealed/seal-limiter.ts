// Limits how often the seal of an organization is asked for, and how often lists are put: checking a large one takes some time.

import { ApiError, retryAfter } from '@hearth/chat'
import { AttemptLimiter } from '../../access/limits/attempt-limiter.ts'

/** Per key. A proxy asks once a minute for each model. */
export const READS_PER_MINUTE = 600
/** Per organization. A person signs each of them. */
export const PUTS_PER_MINUTE = 30

export class SealLimiter {
  readonly #reads = new AttemptLimiter(READS_PER_MINUTE)
  readonly #puts = new AttemptLimiter(PUTS_PER_MINUTE)

  /** Throws a 429 if the key asks too often. */
  countRead(key: string): void {
    reject(this.#reads.take(key, performance.now()))
  }

  /** Throws a 429 if the organization puts lists too often. */
  countPut(organization: string): void {
    reject(this.#puts.take(organization, performance.now()))
  }
}

function reject(waitMs: number): void {
  if (waitMs === 0) return
  const headers = retryAfter(waitMs)
  const message = `The seal is asked for too often. Please try again in ${headers['retry-after']}s.`
  throw new ApiError('rate_limit_exceeded', message, null, headers)
}
