// Limits how often and how much of the seal of an organization is asked for, and how often lists are put: checking a large one takes some time.

import { AttemptLimiter } from '../../access/limits/attempt-limiter.ts'

/** Per key. A proxy asks once a minute for each model. */
export const READS_PER_MINUTE = 600
/** Answers per organization. With a hundred devices, one takes 20 KiB; with the largest lists, 14 MiB. */
export const READ_BYTES = { perMinute: 256 * 1024 * 1024, burst: 48 * 1024 * 1024 }
/** Per organization. A person signs each of them. */
export const PUTS_PER_MINUTE = 30

const TOO_OFTEN = 'The seal is asked for too often.'

export class SealLimiter {
  readonly reads = new AttemptLimiter({ perMinute: READS_PER_MINUTE }, TOO_OFTEN)
  readonly bytes = new AttemptLimiter(READ_BYTES, TOO_OFTEN)
  readonly puts = new AttemptLimiter({ perMinute: PUTS_PER_MINUTE }, TOO_OFTEN)
}
