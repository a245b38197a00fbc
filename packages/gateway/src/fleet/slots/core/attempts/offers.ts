// Asks a device whether it takes a job. The job holds one of its slots from then on.

import type { Ms } from '../../../terms/job.ts'
import type { Slots } from '../slots/slots.ts'
import { heldState, type Job, type Lease, type ServedModel } from '../state/state.ts'
import type { Effect, SchedulerLimits } from '../types.ts'
import type { Hedges } from './hedges.ts'

export interface OffersOptions {
  slots: Slots
  hedges: Hedges
  effects: Effect[]
  limits: SchedulerLimits
}

export class Offers {
  readonly #slots: Slots
  readonly #hedges: Hedges
  readonly #effects: Effect[]
  readonly #limits: SchedulerLimits

  constructor({ slots, hedges, effects, limits }: OffersOptions) {
    this.#slots = slots
    this.#hedges = hedges
    this.#effects = effects
    this.#limits = limits
  }

  offer(job: Job, served: ServedModel, now: Ms): void {
    job.lane.queue.charge(job)
    const lease = this.#ask(job, served, now)
    job.state = { name: 'offered', lease, rival: undefined }
    if (served.device.isLate) this.#hedges.late(lease)
  }

  /** Offers the job to a second device, because the first has not answered. */
  hedge(job: Job, served: ServedModel, now: Ms): void {
    const held = heldState(job)
    if (held?.name !== 'offered') return
    job.lane.late.delete(job)
    this.#hedges.count.offered += 1
    job.state = { name: 'offered', lease: held.lease, rival: this.#ask(job, served, now) }
  }

  #ask(job: Job, served: ServedModel, now: Ms): Lease {
    job.attempt += 1
    const answerBy = Math.min(now + this.#limits.acceptMs, job.waitUntil, job.totalUntil)
    const lease = this.#slots.take(job, served, now, now + job.hedgeMs, answerBy)
    const { attempt, device, epoch, file } = lease
    const isSecond = job.state.name === 'offered'
    this.#effects.push({
      type: 'offer',
      job: job.ticket.job,
      attempt,
      device,
      epoch,
      file,
      isSecond,
      course: job.course,
    })
    return lease
  }

  /** Takes the slot of an attempt that the device already has. */
  retake(job: Job, served: ServedModel, { attempt, file }: Pick<Lease, 'attempt' | 'file'>, now: Ms): Lease {
    job.lane.queue.charge(job)
    const answerBy = Math.min(now + this.#limits.acceptMs, job.waitUntil, job.totalUntil)
    return this.#slots.retake(job, served, now + job.hedgeMs, { attempt, takenAt: now, answerBy, file })
  }
}
