// Is the other end still there? Pure. The link asks every second; an answer that needs more than the clock is a probe.

import { MISSED_PINGS } from '@hearth/protocol'

/** How often the link looks. */
export const CHECK_MS = 1_000
/** A look that comes this late means that the machine slept or the process was stopped: what came in meanwhile has not been read yet. */
const LATE_CHECK_MS = 5_000
/** After a wake-up the gateway must answer a probe within this time. */
const PROBE_MS = 4_000

export interface LinkSigns {
  /** Wall-clock times: the forward-only clock stands still while some machines sleep. */
  lastCheckAt: number
  /** Times of the forward-only clock. */
  heardAt: number
  probedAt?: number
}

export type Verdict = 'alive' | 'probe' | 'silent'

export function judgeLink(signs: LinkSigns, wallAt: number, now: number, pingMs: number): Verdict {
  if (signs.probedAt !== undefined && signs.heardAt < signs.probedAt)
    return now - signs.probedAt > PROBE_MS ? 'silent' : 'alive'
  // A clock that was set forward looks the same as a sleep; then a probe is all it costs.
  if (wallAt - signs.lastCheckAt > LATE_CHECK_MS) return 'probe'
  return now - signs.heardAt > pingMs * MISSED_PINGS ? 'silent' : 'alive'
}

/** While the link is down: a machine that just woke up dials at once. */
export function wokeUp(lastCheckAt: number, wallAt: number): boolean {
  return wallAt - lastCheckAt > LATE_CHECK_MS
}
