// Second offers. A working device answers an offer within milliseconds. If one takes a second, it may be frozen, so the job is also offered
// to another device, and the one that accepts first runs it. Until a late device answers, other devices are preferred.

import { chooseSecond, isLikeOthers } from '../choice/choose-device.ts'
import type { FeatureMask } from '../state/feature-mask.ts'
import type { Lanes } from '../lanes.ts'
import type { RankedHeap } from '../ranked-heap.ts'
import {
  heldState,
  type Device,
  type Job,
  type Lane,
  type Lease,
  type ServedModel,
  type Timed,
} from '../state/state.ts'

export interface HedgeCount {
  /** Jobs that were offered to a second device. */
  offered: number
  /** Those that the second device accepted first. */
  won: number
}

export class Hedges {
  readonly count: HedgeCount = { offered: 0, won: 0 }
  readonly #lanes: Lanes
  readonly #deadlines: RankedHeap<Timed>
  /** Used while a lane is searched; kept so that it is not allocated every time. */
  readonly #outOfReach = new Set<FeatureMask>()

  constructor(lanes: Lanes, deadlines: RankedHeap<Timed>) {
    this.#lanes = lanes
    this.#deadlines = deadlines
  }

  /** The device has not answered the offer in the usual time. It still may, until `answerBy`. */
  late(lease: Lease): void {
    const { job, served } = lease
    this.#deadlines.put(lease, lease.answerBy)
    lease.isLate = true
    if (!served.device.isLate) this.#becomesLate(served.device)
    job.avoided = (job.avoided ?? new Set()).add(lease.device)
    this.seek(job)
  }

  /** Jobs that waited for this device to have a free slot may go elsewhere now. */
  #becomesLate(device: Device): void {
    device.isLate = true
    for (const { lane } of device.served.values()) this.#lanes.touch(lane)
  }

  /** The job gets a second offer as soon as there is a device for it, if its only offer is late. */
  seek(job: Job): void {
    if (job.isModelClosed || job.state.name !== 'offered') return
    if (job.state.rival !== undefined || !job.state.lease.isLate) return
    job.lane.late.add(job)
    this.#lanes.touch(job.lane)
  }

  /** The device has answered an offer or reported the end of an attempt. */
  heard(device: Device): void {
    if (!device.isLate) return
    device.isLate = false
    for (const { lane } of device.served.values()) this.#lanes.touch(lane)
  }

  /** Offers every late job of the lane to a second device, if there is one. These jobs had their turn before all that wait. */
  serve(lane: Lane, offer: (job: Job, served: ServedModel) => void): void {
    if (lane.late.size === 0) return
    this.#outOfReach.clear()
    for (const job of lane.late) {
      if (lane.open.length === 0) return
      if (this.#outOfReach.has(job.features)) continue
      const served = chooseSecond(job, lane)
      if (served !== undefined) offer(job, served)
      else if (isPlain(job)) this.#outOfReach.add(job.features)
    }
  }
}

/** The job only avoids its own late device, which no job gets as its second. So no other job with these features will find one either. */
function isPlain(job: Job): boolean {
  if (!isLikeOthers(job)) return false
  return job.avoided?.size === 1 && heldState(job)?.lease.served.device.isLate === true
}
