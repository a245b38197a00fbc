// The jobs that wait for a slot.

import { PassingMap } from '@hearth/chat'
import type { RankedHeap } from '../../../time/ranked-heap.ts'
import type { SlotRequest, Ms } from '../../terms/job.ts'
import type { Declined } from '../../terms/messages.ts'
import type { Budgets } from './budgets.ts'
import { countFeatures, fromMask, lacking, NO_FEATURES, toMask, type FeatureMask } from './feature-mask.ts'
import type { Forecasts } from './forecasts/forecasts.ts'
import type { ModelQueues } from './model-queues.ts'
import type { QueuedJob, ModelQueue, Timed } from './state.ts'
import type { Decision, SchedulerLimits } from './types.ts'

export interface WaitingJobsOptions {
  queues: ModelQueues
  deadlines: RankedHeap<Timed>
  forecasts: Forecasts
  decisions: Decision[]
  budgets: Budgets
  limits: SchedulerLimits
}

export class WaitingJobs {
  /** How many wait for a slot, of each key with at least one and in all. */
  readonly perKey = new Map<string, number>()
  total = 0
  readonly #options: WaitingJobsOptions
  readonly #jobs = new PassingMap<QueuedJob>()

  constructor(options: WaitingJobsOptions) {
    this.#options = options
  }

  get size(): number {
    return this.#jobs.size
  }

  get(job: string): QueuedJob | undefined {
    return this.#jobs.get(job)
  }

  all(): Iterable<QueuedJob> {
    return this.#jobs.values()
  }

  read(front: string, request: SlotRequest, now: Ms): QueuedJob {
    const { ticket, want, isFirst, ageMs, waitMs, begun, mustContinue, avoided, excluded } = request
    const submittedAt = now - ageMs
    return {
      kind: 'job',
      rank: 0,
      position: -1,
      order: submittedAt,
      front,
      ticket,
      want,
      isFirst,
      features: toMask(ticket.features),
      sealedFor: ticket.sealedFor && new Set(ticket.sealedFor),
      queue: this.#options.queues.open(ticket.model),
      submittedAt,
      waitUntil: now + waitMs,
      isShortened: false,
      patientUntil: submittedAt + this.#options.limits.patienceMs,
      isImpatient: false,
      heldBackSince: undefined,
      begun,
      mustContinue,
      reservation: undefined,
      avoided: avoided && new Set(avoided),
      excluded: excluded && new Set(excluded),
      expectedMs: undefined,
    }
  }

  enter(job: QueuedJob): void {
    const { queue, ticket, want } = job
    this.#jobs.set(ticket.job, job)
    this.#options.queues.touch(queue)
    if (want !== 'slot') return void queue.seconds.add(job)
    if (job.begun !== undefined) job.reservation = this.#options.budgets.reserve(ticket, queue)
    queue.waiting.enter(job)
    this.#count(ticket.key, 1)
    this.#options.deadlines.put(job, nextDeadline(job))
  }

  /** It got a slot, or needs none. Its key stays in the queue. */
  leave(job: QueuedJob): void {
    const { queue, ticket, want } = job
    this.#jobs.delete(ticket.job)
    if (want !== 'slot') return void queue.seconds.delete(job)
    this.#release(job)
    queue.waiting.leave(job)
    this.#count(ticket.key, -1)
    this.#options.deadlines.remove(job)
  }

  #release(job: QueuedJob): void {
    const { reservation } = job
    if (reservation === undefined) return
    job.reservation = undefined
    if (this.#options.budgets.release(reservation)) this.#options.queues.touchWaiting()
  }

  #count(key: string, change: 1 | -1): void {
    const left = (this.perKey.get(key) ?? 0) + change
    this.total += change
    if (left > 0) this.perKey.set(key, left)
    else this.perKey.delete(key)
  }

  remove(job: QueuedJob): void {
    this.leave(job)
    const { queue, ticket, want } = job
    if (want === 'slot') queue.waiting.part(ticket.key)
    this.#options.queues.tidy(queue)
  }

  timeIsUp(job: QueuedJob, now: Ms): void {
    if (now >= job.waitUntil) return this.decline(job, this.noDevice(job, now))
    job.isImpatient = true
    this.#options.deadlines.put(job, job.waitUntil)
    this.#options.queues.touch(job.queue)
  }

  decline(job: QueuedJob, outcome: Declined): void {
    this.remove(job)
    this.reject(job, outcome)
  }

  /** One that is not in line. */
  reject({ front, ticket, queue }: QueuedJob, outcome: Declined): void {
    this.#options.decisions.push({ type: 'decline', front, job: ticket.job, outcome })
    this.#options.queues.tidy(queue)
  }

  /** Its time is over. */
  noDevice({ queue }: QueuedJob, now: Ms): Declined {
    return { kind: 'no-device', retryMs: this.#options.forecasts.untilHalfway(queue, undefined, now) }
  }

  /** Too many wait already, of the key or of the whole organization: an endless queue only hides that there are too few devices. */
  declineIfFull(job: QueuedJob, now: Ms): void {
    const { queue, ticket } = job
    const { limits, forecasts } = this.#options
    const isKeyFull = (this.perKey.get(ticket.key) ?? 0) > limits.queuePerKey
    if (!isKeyFull && this.total <= limits.queuePerOrganization) return
    const scope = isKeyFull ? 'key' : 'organization'
    const retryMs = forecasts.untilHalfway(queue, isKeyFull ? ticket.key : undefined, now)
    this.decline(job, { kind: 'queue-full', scope, retryMs })
  }

  /** Declines the jobs that need one of the features that changed, if the devices now serving can't do them. */
  declineUnsupported(queue: ModelQueue, changed: FeatureMask): void {
    const outcomes = new Map<FeatureMask, Declined | undefined>()
    for (const job of queue.waiting.all()) {
      if ((job.features & changed) === 0) continue
      const isKnown = job.sealedFor === undefined && outcomes.has(job.features)
      const outcome = isKnown ? outcomes.get(job.features) : findUnsupported(job)
      if (job.sealedFor === undefined) outcomes.set(job.features, outcome)
      if (outcome !== undefined) this.decline(job, outcome)
    }
  }
}

/** The end of its patience, then the end of its time. */
function nextDeadline({ isImpatient, patientUntil, waitUntil }: QueuedJob): Ms {
  return isImpatient ? waitUntil : Math.min(patientUntil, waitUntil)
}

/**
 * What the closest device lacks; undefined if a device of the queue has all features of the job, or if there is no device at all. Of a sealed
 * job, only the devices count that it was sealed for.
 */
export function findUnsupported({ queue, features, sealedFor }: QueuedJob): Declined | undefined {
  if (features === NO_FEATURES && sealedFor === undefined) return undefined
  let fewest: FeatureMask | undefined
  for (const served of queue.served) {
    if (served.device.isDraining || sealedFor?.has(served.device.id) === false) continue
    const missing = lacking(features, served.features)
    if (missing === NO_FEATURES) return undefined
    if (fewest === undefined || countFeatures(missing) < countFeatures(fewest)) fewest = missing
  }
  return fewest === undefined ? undefined : { kind: 'unsupported', missing: fromMask(fewest) }
}
