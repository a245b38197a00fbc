// A gateway's numbers for metrics and readiness, from its links and its schedulers. Every kind of fleet has these.

import type { Hub } from './home/hub.ts'
import type { SchedulerStats } from './scheduler/core/stats.ts'
import type { FleetStats } from './fleet.ts'

type Scheduled = Omit<SchedulerStats, 'served'>

export function describeStats(hub: Hub, scheduled: Scheduled): Omit<FleetStats, 'served' | 'between'> {
  const { queued, running, leases, suspect, hedges, continued, queues } = scheduled
  return {
    links: hub.linkCount,
    supersededLinks: hub.supersededCount,
    refusedLinks: hub.refusedCount,
    queued,
    oldestWaitMs: Math.max(0, ...queues.map(({ oldestMs }) => oldestMs)),
    running,
    leases,
    suspectSlots: suspect,
    secondOffers: hedges.offered,
    secondOffersWon: hedges.won,
    continuedReplies: continued,
  }
}
