// A gateway's numbers, for metrics and readiness.

import type { Roles } from './roles.ts'
import type { Traffic } from './peers/links/peer-links.ts'
import type { PeersStatus } from './peers/peers.ts'
import { sum } from './slots/core/stats.ts'
import type { LeasingStats } from './slots/desks.ts'

export interface FleetStats {
  /** Devices connected to this gateway. */
  links: number
  /** Links that a newer link of the same device replaced, since the start. */
  supersededLinks: number
  /** Links rejected because another machine uses the same credential, since the start. */
  refusedLinks: number
  queued: number
  /** How long the oldest waiting job has waited; 0 if none does. */
  oldestWaitMs: number
  running: number
  /** Slots held by jobs, including canceled ones until the device confirms. */
  leases: number
  /** Slots whose device didn't confirm a cancel in time. */
  suspectSlots: number
  /** Jobs offered to a second device because the first took long to answer, since the start. */
  secondOffers: number
  /** Those that the second device accepted first. */
  secondOffersWon: number
  /** Replies that a device continued after another one was lost. */
  continuedReplies: number
  /** Models that a device takes new jobs for, on whichever gateway it is. */
  served: readonly { organization: string; model: string }[]
  /** The connection to other gateways; absent if this is the only one. */
  between?: BetweenGateways
}

export interface BetweenGateways extends Traffic {
  peers: PeersStatus
  scheduling: LeasingStats
}

export function describeStats({ hub, jobs, desks }: Roles): Omit<FleetStats, 'served' | 'between'> {
  const stats = [...desks.stats().values()]
  const waits = stats.flatMap(({ queues }) => queues.map(({ oldestMs }) => oldestMs))
  return {
    links: hub.links.size,
    supersededLinks: hub.supersededCount,
    refusedLinks: hub.refusedCount,
    queued: sum(stats, ({ queued }) => queued),
    oldestWaitMs: waits.reduce((oldest, one) => Math.max(oldest, one), 0),
    running: jobs.runningCount,
    leases: sum(stats, ({ leases }) => leases),
    suspectSlots: sum(stats, ({ suspect }) => suspect),
    ...jobs.counts,
  }
}
