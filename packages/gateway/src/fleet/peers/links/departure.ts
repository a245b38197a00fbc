// When the messages that wait leave. What arrives before that leaves with them.

import type { Clock } from '../../../time/clock.ts'

/**
 * How soon a message has to leave. `now`: at the end of this turn. `paced`: too, unless another packet has just left; then a millisecond
 * later. `lazy`: within a few milliseconds, with others if there are any.
 */
export type Urgency = 'now' | 'paced' | 'lazy'

/** Paced packets leave this long after one another. */
const PACE_MS = 1
const LAZY_MS = 5

const RANK: Record<Urgency, number> = { lazy: 1, paced: 2, now: 3 }

export type Departure = ReturnType<typeof createDeparture>

export function createDeparture(clock: Clock, leave: () => void) {
  /** Of what is planned; 0 if nothing is. */
  let planned = 0
  let leftAt = Number.NEGATIVE_INFINITY
  let unplan = () => {}
  const delayMs = (urgency: Urgency): number => {
    if (urgency === 'now') return 0
    if (urgency === 'lazy') return LAZY_MS
    return clock.now() - leftAt < PACE_MS ? PACE_MS : 0
  }
  const plan = (urgency: Urgency): void => {
    const rank = RANK[urgency]
    if (rank <= planned) return
    unplan()
    planned = rank
    unplan = clock.after(delayMs(urgency), () => {
      planned = 0
      leftAt = clock.now()
      leave()
    })
  }
  return { plan, cancel: () => unplan() }
}
