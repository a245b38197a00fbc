// A device that refuses is left alone for a while, each time twice as long; the first accept or end makes it trusted again.

import type { ServedModel } from './state.ts'
import type { Ms } from './types.ts'

const FIRST_MS = 250
const LONGEST_MS = 8_000

export function backOff(served: ServedModel, now: Ms): void {
  served.backoffMs = served.backoffMs === 0 ? FIRST_MS : Math.min(served.backoffMs * 2, LONGEST_MS)
  served.backoffUntil = now + served.backoffMs
}

export function trustAgain(served: ServedModel): void {
  served.backoffMs = 0
  served.backoffUntil = 0
}
