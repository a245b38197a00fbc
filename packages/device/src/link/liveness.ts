// Decides whether the gateway is still there. Pure. The link checks every second, and sends a probe if the clock alone can't tell.

import { MISSED_PINGS } from '@hearth/protocol'

/** How often the link checks. */
export const CHECK_MS = 1_000
/** A check this late means that the machine slept or the process was suspended, and incoming data has not been read yet. */
const LATE_CHECK_MS = 5_000
/** After waking up, the gateway must answer a probe within this time. */
const PROBE_MS = 4_000

export interface LinkSigns {
  /** Wall-clock time, because on some machines the forward-only clock stops during sleep. */
  lastCheckAt: number
  /** Times on the forward-only clock. */
  heardAt: number
  probedAt?: number
}

type Verdict = 'alive' | 'probe' | 'silent'

export function judgeLink(signs: LinkSigns, wallAt: number, now: number, pingMs: number): Verdict {
  if (signs.probedAt !== undefined && signs.heardAt < signs.probedAt)
    return now - signs.probedAt > PROBE_MS ? 'silent' : 'alive'
  // A clock that was set forward looks like a sleep. That only costs one probe.
  if (wallAt - signs.lastCheckAt > LATE_CHECK_MS) return 'probe'
  return now - signs.heardAt > pingMs * MISSED_PINGS ? 'silent' : 'alive'
}

/** Used while the link is down: a machine that just woke up dials right away. */
export function wokeUp(lastCheckAt: number, wallAt: number): boolean {
  return wallAt - lastCheckAt > LATE_CHECK_MS
}
