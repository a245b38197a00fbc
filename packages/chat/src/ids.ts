// Random ids, taken from a pool of random bytes so that not every request has to ask the system for randomness.

import { randomFillSync } from 'node:crypto'

const pool = Buffer.allocUnsafe(8_192)
let used = pool.length

export function randomHex(bytes: number): string {
  if (used + bytes > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += bytes
  return pool.toString('hex', used - bytes, used)
}
