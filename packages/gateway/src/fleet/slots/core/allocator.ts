// Free slots go to waiting jobs.

import type { Ms } from '../../terms/job.ts'
import type { Hedges } from './attempts/hedges.ts'
import type { Jobs } from './attempts/jobs.ts'
import type { Offers } from './attempts/offers.ts'
import { canStart, chooseDevice } from './choice/choose-device.ts'
import type { Lanes } from './lanes.ts'
import type { FeatureMask } from './state/feature-mask.ts'
import type { Job, Lane } from './state/state.ts'

export interface AllocatorOptions {
  lanes: Lanes
  jobs: Jobs
  hedges: Hedges
  offers: Offers
}

export class Allocator {
  readonly #lanes: Lanes
  readonly #jobs: Jobs
  readonly #hedges: Hedges
  readonly #offers: Offers
  /** Used while a lane is served; kept so that it is not allocated for every job. */
  readonly #outOfReach = new Set<FeatureMask>()
  /** Nothing is offered for now. */
  isHeld = false

  constructor({ lanes, jobs, hedges, offers }: AllocatorOptions) {
    this.#lanes = lanes
    this.#jobs = jobs
    this.#hedges = hedges
    this.#offers = offers
  }

  /** Most jobs come while a slot is free and nobody waits: then there is no need to put them in line first. */
  place(job: Job, now: Ms): void {
    const { lane } = job
    const isNext = lane.queue.length === 0 && lane.late.size === 0 && this.#lanes.touched.length === 0 && !this.isHeld
    const served = isNext ? chooseDevice(job, lane) : undefined
    if (served !== undefined) return this.#offers.offer(job, served, now)
    this.#jobs.wait(job)
    this.serve(now)
  }

  serve(now: Ms): void {
    const { touched } = this.#lanes
    if (touched.length === 0 || this.isHeld) return
    // Serving a lane may touch others, which then come after it.
    for (const lane of touched) this.#serveLane(lane, now)
    for (const lane of touched) lane.isTouched = false
    touched.length = 0
  }

  #serveLane(lane: Lane, now: Ms): void {
    this.#hedges.serve(lane, (job, served) => this.#offers.hedge(job, served, now))
    const couldStart = (job: Job) => canStart(job, lane, this.#outOfReach)
    // An offer only takes devices away, so features that no open device has stay out of reach in this loop. Only a device that has to
    // load its model for an offer then comes within reach of other jobs.
    if (this.#outOfReach.size > 0) this.#outOfReach.clear()
    while (lane.queue.length > 0 && lane.open.length > 0) {
      const job = lane.queue.next(couldStart)
      const served = job && chooseDevice(job, lane)
      if (job === undefined || served === undefined) return
      this.#jobs.leaveQueue(job)
      this.#offers.offer(job, served, now)
      if (served.presence === 'loadable') this.#outOfReach.clear()
    }
  }
}
