// Jobs that another scheduler decided about before: they keep their age, their place and, if a device works on them, their slot. The caller
// adopts the devices first, so that a job whose device isn't there has lost its attempt.

import type { Attempts } from './attempts.ts'
import type { DeviceTable } from '../slots/device-table.ts'
import type { Jobs } from './jobs.ts'
import type { Offers } from './offers.ts'
import { heldState, newRun, type Job, type Lease, type ServedModel } from '../state/state.ts'
import { newServed } from '../slots/new-served.ts'
import type { Slots } from '../slots/slots.ts'
import type { StatedAttempt, StatedJob, StatedRun } from '../../../terms/stated-job.ts'
import type { Ms } from '../../../terms/job.ts'

export interface AdoptionOptions {
  devices: DeviceTable
  jobs: Jobs
  slots: Slots
  attempts: Attempts
  offers: Offers
}

export class Adoption {
  readonly #devices: DeviceTable
  readonly #jobs: Jobs
  readonly #slots: Slots
  readonly #attempts: Attempts
  readonly #offers: Offers

  constructor({ devices, jobs, slots, attempts, offers }: AdoptionOptions) {
    this.#devices = devices
    this.#jobs = jobs
    this.#slots = slots
    this.#attempts = attempts
    this.#offers = offers
  }

  adopt(stated: StatedJob, now: Ms): void {
    this.forget(stated.ticket.job)
    const job = this.#jobs.readmit(stated, now)
    if (stated.held === undefined) this.#jobs.waitOn(job, now)
    else this.#hold(job, stated.held, now)
  }

  /** Forgets the job without an effect: its slots are free, and nobody hears of its end. */
  forget(id: string): void {
    const job = this.#jobs.get(id)
    if (job === undefined) return
    const held = heldState(job)
    const leases = [...job.givenUp, held?.lease, held?.name === 'offered' ? held.rival : undefined]
    this.#jobs.dismiss(job)
    for (const lease of leases) if (lease !== undefined) this.#slots.release(lease)
  }

  #hold(job: Job, held: StatedAttempt, now: Ms): void {
    const device = held.isLost ? undefined : this.#devices.find(held.device, held.epoch)
    const found = device?.served.get(job.lane.model)
    const lease = this.#offers.retake(job, found ?? absent(job, held), held, now)
    if (held.run === undefined) job.state = { name: 'offered', lease, rival: undefined }
    else this.#run(lease, held.run, now)
    if (found === undefined) this.#attempts.lost(lease, now)
  }

  #run(lease: Lease, { acceptedMsAgo, ...run }: StatedRun, now: Ms): void {
    const state = { ...newRun(lease, now), ...run, acceptedAt: now - acceptedMsAgo }
    lease.job.state = state
    this.#attempts.watch(state)
  }
}

/** Stands in for a model on a device that is gone. It is in no lane, so no job is offered to it. */
function absent({ lane }: Job, { device: id, epoch }: StatedAttempt): ServedModel {
  const { organization } = lane
  return newServed({ id, epoch, organization, isDraining: true, isLate: false, served: new Map(), leases: [] }, lane)
}
