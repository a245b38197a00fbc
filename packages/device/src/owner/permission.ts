// Decides whether this machine may serve right now. The owner comes first: a pause, the hours or the power state can each say no. Pure.

import type { Permission } from '../news.ts'
import { isWithin, nextStart, type Hours } from './hours.ts'

export type Power = 'mains' | 'battery' | 'unknown'

export interface OwnerRules {
  isPaused: boolean
  hours: Hours | undefined
  onlyOnMains: boolean
}

export function decidePermission(rules: OwnerRules, date: Date, power: Power): Permission {
  if (rules.isPaused) return { allowed: false, why: 'paused → to serve again: hearth-device resume' }
  if (rules.hours !== undefined && !isWithin(rules.hours, date))
    return { allowed: false, why: `outside its hours; starts again at ${nextStart(rules.hours, date)}` }
  // If the power state is unknown, the machine is most likely a desktop or a server.
  if (rules.onlyOnMains && power === 'battery')
    return { allowed: false, why: 'on battery; starts again when plugged in' }
  return { allowed: true }
}
