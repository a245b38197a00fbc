// Limits how often and how much of the seal of an organization is asked for, and how often lists are put: checking a large one takes some time.

import { AttemptLimiter, rejectFor } from '../../access/limits/attempt-limiter.ts'

/** Per key. A proxy asks once a minute for each model. */
export const READS_PER_MINUTE = 600
/** Answers per organization. With a hundred devices, one takes 20 KiB; with the largest lists, 14 MiB. */
export const READ_BYTES = { perMinute: 256 * 1024 * 1024, burst: 48 * 1024 * 1024 }
/** Per organization. A person signs each of them. */
export const PUTS_PER_MINUTE = 30

export class SealLimiter {
  readonly #reads = new AttemptLimiter(READS_PER_MINUTE)
  readonly #bytes = new AttemptLimiter(READ_BYTES.perMinute, READ_BYTES.burst)
  readonly #puts = new AttemptLimiter(PUTS_PER_MINUTE)

  /** Throws a 429 if the key asks too often. */
  countRead(key: string): void {
    reject(this.#reads.take(key, performance.now()))
  }

  /** Throws a 429 if the organization has been sent too much. */
  countBytes(organization: string, bytes: number): void {
    reject(this.#bytes.take(organization, performance.now(), bytes))
  }

  /** Throws a 429 if the organization puts lists too often. */
  countPut(organization: string): void {
    reject(this.#puts.take(organization, performance.now()))
  }
}

function reject(waitMs: number): void {
  rejectFor(waitMs, 'The seal is asked for too often.')
}
