// Random ids, cut from a long text of random digits so that not every request has to ask the system for randomness.

import { randomBytes } from 'node:crypto'

const POOL_BYTES = 4_096
let pool = ''
let used = 0

/** For a request that its client gave none. */
export function newRequestId(): string {
  return `req_${randomHex(16)}`
}

export function randomHex(bytes: number): string {
  if (used + 2 * bytes > pool.length) {
    pool = randomBytes(POOL_BYTES).toString('hex')
    used = 0
  }
  used += 2 * bytes
  return pool.slice(used - 2 * bytes, used)
}
