import type { SchedulerStats } from './scheduler/core/stats.ts'

/** The numbers of several schedulers as one. */
export function addStats(all: readonly SchedulerStats[]): SchedulerStats {
  const sum = (pick: (stats: SchedulerStats) => number) => all.reduce((total, stats) => total + pick(stats), 0)
  return {
    jobs: sum(({ jobs }) => jobs),
    queued: sum(({ queued }) => queued),
    running: sum(({ running }) => running),
    leases: sum(({ leases }) => leases),
    suspect: sum(({ suspect }) => suspect),
    hedges: { offered: sum(({ hedges }) => hedges.offered), won: sum(({ hedges }) => hedges.won) },
    continued: sum(({ continued }) => continued),
    late: sum(({ late }) => late),
    queues: all.flatMap(({ queues }) => queues),
    served: all.flatMap(({ served }) => served),
    waitingByOrganization: all.flatMap(({ waitingByOrganization }) => waitingByOrganization),
  }
}
