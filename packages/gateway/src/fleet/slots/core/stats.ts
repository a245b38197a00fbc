// A snapshot of the scheduler for metrics and checks. Taken on demand, never while a job is handled.

import type { DeviceTable } from './slots/device-table.ts'
import type { HedgeCount, Hedges } from './attempts/hedges.ts'
import type { Jobs } from './attempts/jobs.ts'
import type { Lanes } from './lanes.ts'
import { heldState, type Device, type Lane, type ServedModel } from './state/state.ts'
import type { Ms } from '../../terms/job.ts'

export interface SchedulerStats {
  /** All jobs the scheduler remembers: queued, running, and finished ones that still hold a slot. */
  jobs: number
  queued: number
  /** Jobs that are offered or running. */
  running: number
  /** Slots taken, including those of finished jobs that the device has not confirmed yet. */
  leases: number
  suspect: number
  hedges: HedgeCount
  /** Replies that a device continued after another one was lost. */
  continued: number
  /** Jobs whose only device is late, and that wait for a second one. */
  late: number
  queues: QueueStats[]
  served: ServedStats[]
  /** Counted for the limits of the queue. */
  waitingByOrganization: { organization: string; queued: number; perKey: ReadonlyMap<string, number> }[]
}

/** Only models with a waiting job. */
export interface QueueStats {
  organization: string
  model: string
  queued: number
  oldestMs: Ms
  perKey: ReadonlyMap<string, number>
}

export interface ServedStats {
  organization: string
  device: string
  epoch: number
  model: string
  /** 0 when the device has withdrawn the model. */
  slots: number
  leases: number
  suspect: number
  isDraining: boolean
  msPerCharacter: number
}

interface Sources {
  jobs: Jobs
  lanes: Lanes
  devices: DeviceTable
  hedges: Hedges
}

export function collectStats({ jobs, lanes, devices, hedges }: Sources, now: Ms): SchedulerStats {
  const queues = [...lanes.all()].filter((lane) => lane.queue.length > 0).map((lane) => queueStats(lane, now))
  const served = [...devices.all()].flatMap((device) =>
    [...device.served].map(([model, at]) => servedStats(device, model, at)),
  )
  const sum = <Item>(items: Item[], pick: (item: Item) => number) =>
    items.reduce((total, item) => total + pick(item), 0)
  return {
    jobs: jobs.size,
    queued: sum(queues, (queue) => queue.queued),
    running: sum([...jobs.all()], (job) => (heldState(job) === undefined ? 0 : 1)),
    leases: sum(served, (model) => model.leases),
    suspect: sum(served, (model) => model.suspect),
    hedges: { ...hedges.count },
    continued: jobs.continued,
    late: sum([...lanes.all()], (lane) => lane.late.size),
    queues,
    served,
    waitingByOrganization: [...jobs.bounds.counts()],
  }
}

function queueStats({ organization, model, queue }: Lane, now: Ms): QueueStats {
  let oldest = now
  const perKey = new Map<string, number>()
  for (const job of queue.waiting()) {
    oldest = Math.min(oldest, job.submittedAt)
    perKey.set(job.ticket.key, (perKey.get(job.ticket.key) ?? 0) + 1)
  }
  return { organization, model, queued: queue.length, oldestMs: now - oldest, perKey }
}

function servedStats(device: Device, model: string, served: ServedModel): ServedStats {
  const { id, epoch, organization, isDraining } = device
  const { slots, leased, suspect, msPerCharacter } = served
  return { organization, device: id, epoch, model, slots, leases: leased, suspect, isDraining, msPerCharacter }
}
