// A gateway's numbers, for metrics and readiness.

import type { Roles } from './roles.ts'
import type { Traffic } from './peers/links/peer-links.ts'
import type { Peers } from './peers/peers.ts'
import { sum } from './scheduler/core/stats.ts'
import type { Schedulers } from './scheduler/schedulers.ts'

export interface FleetStats extends ReturnType<typeof describeStats> {
  /** Models that a device takes new jobs for, on whichever gateway it is. */
  served: readonly { organization: string; model: string }[]
  /** The connection to other gateways; absent if this is the only one. */
  between?: BetweenGateways
}

export interface BetweenGateways extends Traffic {
  peers: ReturnType<typeof describePeers>
  scheduling: ReturnType<Schedulers['leasing']>
}

export function describePeers(peers: Peers) {
  const { self, view } = peers
  return {
    self,
    /** How many gateways form the service, this one included. */
    count: view.all.length,
    generation: view.generation,
    hasJoined: view.all.length > 0,
    /** Is it one that the others don't hear, and so schedules nothing? */
    isIsolated: view.all.some(({ id, isIsolated }) => id === self && isIsolated),
    ...peers.status(),
  }
}

export function describeStats({ hub, jobs, schedulers }: Roles) {
  const stats = [...schedulers.stats().values()]
  const waits = stats.flatMap(({ queues }) => queues.map(({ oldestMs }) => oldestMs))
  return {
    /** Devices connected to this gateway. */
    links: hub.links.size,
    /** Links that a newer link of the same device replaced, since the start. */
    supersededLinks: hub.registry.supersededCount,
    /** Links rejected because another machine uses the same credential, since the start. */
    refusedLinks: hub.registry.refusedCount,
    queued: sum(stats, ({ queued }) => queued),
    /** How long the oldest waiting job has waited; 0 if none does. */
    oldestWaitMs: waits.reduce((oldest, one) => Math.max(oldest, one), 0),
    running: jobs.runningCount,
    /** Slots held by jobs, including canceled ones until the device confirms. */
    leases: sum(stats, ({ leases }) => leases),
    /** Slots whose device didn't confirm a cancel in time. */
    suspectSlots: sum(stats, ({ suspect }) => suspect),
    ...jobs.counts,
  }
}
