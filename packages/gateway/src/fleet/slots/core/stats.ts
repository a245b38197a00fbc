// A snapshot of a lessor for metrics and checks. Taken on demand, never while a job is handled.

import type { Ms } from '../../terms/job.ts'
import type { DeviceTable } from './device-table.ts'
import type { Lanes } from './lanes.ts'
import type { Line } from './line.ts'
import type { Device, Lane, ServedModel } from './state.ts'

export type LessorStats = ReturnType<typeof collectStats> & {
  /** Tokens of budgets, once for each that they count for. */
  reserved: number
}

export function collectStats(line: Line, lanes: Lanes, devices: DeviceTable, now: Ms) {
  const all = [...lanes.all()]
  const linked = [...devices.all()]
  const served = linked.flatMap((device) => [...device.served.values()].map((one) => servedStats(device, one)))
  return {
    queued: line.total,
    /** Jobs whose only device is late, and that wait for a second one. */
    late: sum(all, ({ seconds }) => seconds.size),
    /** Slots taken, including those of jobs that are over and whose device has not stopped yet. */
    leases: sum(served, ({ leases }) => leases),
    suspect: sum(served, ({ suspect }) => suspect),
    /** Leases whose slot is free, and whose front has not said what they used. */
    unsettled: sum(linked, ({ leases }) => leases.filter(({ isFreed }) => isFreed).length),
    /** Only models with a waiting job. */
    queues: all.filter(({ queue }) => queue.length > 0).map((lane) => queueStats(lane, now)),
    served,
    /** Counted for the limits of the queue. */
    waitingPerKey: line.perKey,
  }
}

export function sum<Item>(items: readonly Item[], pick: (item: Item) => number): number {
  return items.reduce((total, item) => total + pick(item), 0)
}

function queueStats({ model, queue }: Lane, now: Ms) {
  const oldest = queue.waiting().reduce((least, { submittedAt }) => Math.min(least, submittedAt), now)
  return { model, queued: queue.length, oldestMs: now - oldest }
}

/** `slots` is 0 when the device has withdrawn the model. */
function servedStats({ id }: Device, { lane, slots, leased, suspect }: ServedModel) {
  return { device: id, model: lane.model, slots, leases: leased, suspect }
}
