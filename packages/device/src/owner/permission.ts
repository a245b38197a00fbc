// Decides whether this machine may serve right now, and what happens to the jobs it runs. The owner comes first: sleep, a pause, the hours or
// the power state can each say no. Pure.

import type { Rest } from '@hearth/protocol'
import { isWithin, nextStart, type Hours } from './hours.ts'

export type Power = 'mains' | 'battery' | 'unknown'

export interface OwnerRules {
  isFallingAsleep: boolean
  isPaused: boolean
  /** The owner paused right now, without time for running jobs. */
  stopsJobs: boolean
  hours: Hours | undefined
  onlyOnMains: boolean
}

/** Running jobs finish, are continued by other devices, or are returned right away. */
export type RunningJobs = 'finish' | 'hand-over' | 'return'

export type Verdict = { allowed: true } | { allowed: false; why: string; jobs: RunningJobs; rest: Rest }

const PAUSED = 'paused → to serve again: hearth-device resume'

export function decidePermission(rules: OwnerRules, date: Date, power: Power): Verdict {
  if (rules.isFallingAsleep)
    return forbid('going to sleep; starts again when it wakes up', 'hand-over', { reason: 'sleep' })
  if (rules.isPaused) return forbid(PAUSED, rules.stopsJobs ? 'return' : 'finish', { reason: 'paused' })
  if (rules.hours !== undefined && !isWithin(rules.hours, date)) {
    const until = nextStart(rules.hours, date)
    return forbid(`outside its hours; starts again at ${until}`, 'hand-over', { reason: 'hours', until })
  }
  // If the power state is unknown, the machine is most likely a desktop or a server.
  if (rules.onlyOnMains && power === 'battery')
    return forbid('on battery; starts again when plugged in', 'hand-over', { reason: 'battery' })
  return { allowed: true }
}

function forbid(why: string, jobs: RunningJobs, rest: Rest): Verdict {
  return { allowed: false, why, jobs, rest }
}
