// May this machine serve now? The owner comes first: a pause, the hours and the power each can say no. Pure.

import { isWithin, nextStart, type Hours } from './hours.ts'

export type Power = 'mains' | 'battery' | 'unknown'

export interface OwnerWishes {
  isPaused: boolean
  hours: Hours | undefined
  onlyOnMains: boolean
}

export type Permission = { allowed: true } | { allowed: false; why: string }

export function decidePermission(wishes: OwnerWishes, date: Date, power: Power): Permission {
  if (wishes.isPaused) return { allowed: false, why: 'paused; `resume` goes on' }
  if (wishes.hours !== undefined && !isWithin(wishes.hours, date))
    return { allowed: false, why: `outside its hours; serves again at ${nextStart(wishes.hours, date)}` }
  // A machine that cannot tell is a desktop or a server far more often than not.
  if (wishes.onlyOnMains && power === 'battery')
    return { allowed: false, why: 'on battery; serves again on mains power' }
  return { allowed: true }
}
