// A device that refuses a job gets no offers for a while, twice as long each time, until it accepts or ends a job.

import { updateOpen } from './open-devices.ts'
import type { ServedModel } from '../state/state.ts'

const FIRST_MS = 250
const LONGEST_MS = 8_000

/** Lasts until `endBackoff`, due after `served.backoffMs`. */
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
