// Random ids, taken from a pool of random bytes so that not every request has to ask the system for randomness.

import { randomFillSync } from 'node:crypto'

const pool = Buffer.allocUnsafe(8_192)
let used = pool.length

/** For a request that its client gave none. */
export function newRequestId(): string {
  return `req_${randomHex(16)}`
}

export function randomHex(bytes: number): string {
  if (used + bytes > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += bytes
  return pool.toString('hex', used - bytes, used)
}
