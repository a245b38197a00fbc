// The numbers of several desks as one.

import type { SchedulerStats } from './core/stats.ts'

/** Counts since the start: they never go down, even when a desk is closed. */
export type Counts = Pick<SchedulerStats, 'hedges' | 'continued'>

export const NO_COUNTS: Counts = { hedges: { offered: 0, won: 0 }, continued: 0 }

export function addCounts(one: Counts, other: Counts): Counts {
  const offered = one.hedges.offered + other.hedges.offered
  const won = one.hedges.won + other.hedges.won
  return { hedges: { offered, won }, continued: one.continued + other.continued }
}

/** `past` is what desks that are gone have counted. */
export function addStats(all: readonly SchedulerStats[], past: Counts): SchedulerStats {
  const sum = (pick: (stats: SchedulerStats) => number) => all.reduce((total, stats) => total + pick(stats), 0)
  return {
    ...all.reduce(addCounts, past),
    jobs: sum(({ jobs }) => jobs),
    queued: sum(({ queued }) => queued),
    running: sum(({ running }) => running),
    leases: sum(({ leases }) => leases),
    suspect: sum(({ suspect }) => suspect),
    late: sum(({ late }) => late),
    queues: all.flatMap(({ queues }) => queues),
    served: all.flatMap(({ served }) => served),
    waitingByOrganization: all.flatMap(({ waitingByOrganization }) => waitingByOrganization),
  }
}
