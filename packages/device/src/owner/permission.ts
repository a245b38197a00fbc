// Decides whether this machine may serve right now, and what becomes of the jobs it runs. The owner comes first: sleep, a pause, the hours or
// the power state can each say no. Pure.

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

export type Verdict = { allowed: true } | { allowed: false; why: string; jobs: RunningJobs }

export function decidePermission(rules: OwnerRules, date: Date, power: Power): Verdict {
  if (rules.isFallingAsleep) return forbid('going to sleep; starts again when it wakes up', 'hand-over')
  if (rules.isPaused)
    return forbid('paused → to serve again: hearth-device resume', rules.stopsJobs ? 'return' : 'finish')
  if (rules.hours !== undefined && !isWithin(rules.hours, date))
    return forbid(`outside its hours; starts again at ${nextStart(rules.hours, date)}`, 'hand-over')
  // If the power state is unknown, the machine is most likely a desktop or a server.
  if (rules.onlyOnMains && power === 'battery') return forbid('on battery; starts again when plugged in', 'hand-over')
  return { allowed: true }
}

function forbid(why: string, jobs: RunningJobs): Verdict {
  return { allowed: false, why, jobs }
}
