// A snapshot of a scheduler for metrics and checks. Taken on demand, never while a job is handled.

import type { Ms } from '../../terms/job.ts'
import type { DeviceTable } from './device-table.ts'
import type { ModelQueues } from './model-queues.ts'
import type { WaitingJobs } from './waiting-jobs.ts'
import type { LinkedDevice, ModelQueue, ServedModel } from './state.ts'

export type SchedulerStats = ReturnType<typeof collectStats> & {
  /** Tokens of budgets, once for each that they count for. */
  reserved: number
}

export function collectStats(waiting: WaitingJobs, queues: ModelQueues, devices: DeviceTable, now: Ms) {
  const all = [...queues.all()]
  const linked = [...devices.all()]
  const served = linked.flatMap((device) => [...device.served.values()].map((one) => servedStats(device, one)))
  return {
    queued: waiting.total,
    /** Jobs whose only device is late, and that wait for a second one. */
    late: sum(all, ({ seconds }) => seconds.size),
    /** Slots taken, including those of jobs that are over and whose device has not stopped yet. */
    leases: sum(served, ({ leases }) => leases),
    suspect: sum(served, ({ suspect }) => suspect),
    /** Leases whose slot is free, and whose front has not said what they used. */
    unsettled: sum(linked, ({ leases }) => leases.filter(({ isFreed }) => isFreed).length),
    /** Only models with a waiting job. */
    queues: all.filter((queue) => queue.waiting.length > 0).map((queue) => queueStats(queue, now)),
    served,
    /** Counted for the limits of the queue. */
    waitingPerKey: waiting.perKey,
  }
}

export function sum<Item>(items: readonly Item[], pick: (item: Item) => number): number {
  return items.reduce((total, item) => total + pick(item), 0)
}

function queueStats({ model, waiting }: ModelQueue, now: Ms) {
  const oldest = waiting.all().reduce((least, { submittedAt }) => Math.min(least, submittedAt), now)
  return { model, queued: waiting.length, oldestMs: now - oldest }
}

/** `slots` is 0 when the device has withdrawn the model. */
function servedStats({ id }: LinkedDevice, { queue, slots, leased, suspect }: ServedModel) {
  return { device: id, model: queue.model, slots, leases: leased, suspect }
}
