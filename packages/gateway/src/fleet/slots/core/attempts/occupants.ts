// Attempts that a device may still work on, although no job here counts on them: another scheduler granted them, or the job's statement has
// changed. Their slots stay taken until somebody who knows says that they are over, or the link is lost.

import type { DeviceTable } from '../slots/device-table.ts'
import type { Jobs } from './jobs.ts'
import { newJob } from './new-job.ts'
import type { Slots } from '../slots/slots.ts'
import { FINISHED, heldState, type Job, type Lease, type ServedModel } from '../state/state.ts'
import type { Ms, Reporter, Ticket } from '../../../terms/job.ts'
import type { SchedulerLimits } from '../types.ts'

/** An attempt that holds a slot for this model. */
export interface Occupant extends Reporter {
  model: string
}

export interface OccupantsOptions {
  devices: DeviceTable
  jobs: Jobs
  slots: Slots
  limits: SchedulerLimits
}

export class Occupants {
  readonly #options: OccupantsOptions
  readonly #leases = new Map<string, Lease>()

  constructor(options: OccupantsOptions) {
    this.#options = options
  }

  /** All attempts of the job that hold a slot. */
  of(id: string): Occupant[] {
    const job = this.#options.jobs.get(id)
    const held = job && heldState(job)
    const rival = held?.name === 'offered' ? held.rival : undefined
    const leases = [...(job?.givenUp ?? []), held?.lease, rival].filter((lease) => lease !== undefined)
    return leases.map(({ device, epoch, attempt, served }) => ({
      device,
      epoch,
      job: id,
      attempt,
      model: served.lane.model,
    }))
  }

  /** Attempts on this link that were given up, and that the device has not confirmed. */
  givenUp(device: string, epoch: number): Reporter[] {
    const leases = this.#options.devices.find(device, epoch)?.leases ?? []
    return leases
      .filter(({ state }) => state !== 'held')
      .map(({ job, attempt }) => ({ device, epoch, job: job.ticket.job, attempt }))
  }

  /** Returns false if the attempt has its slot already, or its device is gone. */
  add({ model, ...from }: Occupant, now: Ms): boolean {
    const device = this.#options.devices.find(from.device, from.epoch)
    const served = device?.served.get(model)
    const isKnown = device?.leases.some(({ job, attempt }) => attempt === from.attempt && job.ticket.job === from.job)
    if (served === undefined || isKnown === true) return false
    const lease = this.#take(this.#stranger(from, served, now), served, now)
    this.#leases.set(keyOf(from), lease)
    return true
  }

  /** The device no longer works on it. */
  remove(from: Reporter): void {
    // Most of the time there is none, and making keys takes time.
    const lease = this.#leases.size === 0 ? undefined : this.#leases.get(keyOf(from))
    if (lease === undefined) return
    this.#leases.delete(keyOf(from))
    if (lease.state !== 'released') this.#options.slots.release(lease)
  }

  #take(job: Job, served: ServedModel, now: Ms): Lease {
    const { slots, limits } = this.#options
    const confirmBy = now + limits.cancelMs
    const lease = slots.retake(job, served, confirmBy, {
      attempt: job.attempt,
      takenAt: now,
      answerBy: confirmBy,
      file: undefined,
    })
    slots.giveUp(lease, confirmBy)
    return lease
  }

  /** A job that is over before it began: it only stands for the slot. */
  #stranger({ job, attempt }: Reporter, { lane }: ServedModel, now: Ms): Job {
    const { organization, model } = lane
    const ticket: Ticket = {
      job,
      organization,
      key: '',
      model,
      features: [],
      rerunnable: true,
      cost: 0,
      promptSize: 0,
      prefixes: [],
    }
    return { ...newJob(ticket, lane, 0, now, this.#options.limits, 0), attempt, state: FINISHED }
  }
}

function keyOf({ device, epoch, job, attempt }: Reporter): string {
  return `${device} ${epoch} ${job} ${attempt}`
}
