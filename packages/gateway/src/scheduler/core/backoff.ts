// A device that refuses is left alone for a while, each time twice as long; the first accept or end makes it trusted again.

import { updateOpen } from './open-devices.ts'
import type { ServedModel } from './state.ts'

const FIRST_MS = 250
const LONGEST_MS = 8_000

/** Until `endBackoff` after `served.backoffMs`. */
export function backOff(served: ServedModel): void {
  served.backoffMs = served.backoffMs === 0 ? FIRST_MS : Math.min(served.backoffMs * 2, LONGEST_MS)
  served.isBackingOff = true
  updateOpen(served)
}

export function endBackoff(served: ServedModel): void {
  served.isBackingOff = false
  updateOpen(served)
}

export function trustAgain(served: ServedModel): void {
  served.backoffMs = 0
  endBackoff(served)
}
