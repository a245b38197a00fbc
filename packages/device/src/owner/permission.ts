// Decides whether this machine may serve right now. The owner comes first: a pause, the hours or the power state can each say no. Pure.

import type { Permission } from '../news.ts'
import { isWithin, nextStart, type Hours } from './hours.ts'

export type Power = 'mains' | 'battery' | 'unknown'

export interface OwnerWishes {
  isPaused: boolean
  hours: Hours | undefined
  onlyOnMains: boolean
}

export function decidePermission(wishes: OwnerWishes, date: Date, power: Power): Permission {
  if (wishes.isPaused) return { allowed: false, why: 'paused → to serve again: hearth-device resume' }
  if (wishes.hours !== undefined && !isWithin(wishes.hours, date))
    return { allowed: false, why: `outside its hours; starts again at ${nextStart(wishes.hours, date)}` }
  // If the power state is unknown, the machine is most likely a desktop or a server.
  if (wishes.onlyOnMains && power === 'battery')
    return { allowed: false, why: 'on battery; starts again when plugged in' }
  return { allowed: true }
}
