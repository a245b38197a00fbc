// Random names, drawn from a pool so that the system is asked for randomness once in a while instead of at every request.

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
