// The life of a job between its attempts: it is admitted, waits for a slot, waits again when an attempt is lost, and ends once.

import { PassingMap, type Outcome } from '@hearth/chat'
import type { StatedJob } from '../../../terms/stated-job.ts'
import { hasDevice } from '../choice/choose-device.ts'
import { begunBy } from '../choice/continuation.ts'
import { fromMask, type FeatureMask } from '../state/feature-mask.ts'
import type { Forecasts } from '../forecasts/forecasts.ts'
import type { Hedges } from './hedges.ts'
import { type Lanes, missingFeatures } from '../lanes.ts'
import { newJob } from './new-job.ts'
import { noteAnswer } from './note-answer.ts'
import { judgeLoss, type Loss } from './judge-loss.ts'
import { QueueBounds } from '../queue/queue-bounds.ts'
import type { RankedHeap } from '../ranked-heap.ts'
import {
  FINISHED,
  hasDelivered,
  heldState,
  WAITING,
  type Held,
  type Job,
  type Lane,
  type Lease,
  type Running,
  type Timed,
} from '../state/state.ts'
import { countTokens, totalTokens } from '../../../terms/token-count.ts'
import { type ModelFile, type Ms, type Ticket, type TokenCount } from '../../../terms/job.ts'
import type { Effect, SchedulerLimits } from '../types.ts'

export interface JobsOptions {
  lanes: Lanes
  forecasts: Forecasts
  hedges: Hedges
  deadlines: RankedHeap<Timed>
  effects: Effect[]
  limits: SchedulerLimits
}

export class Jobs {
  readonly bounds: QueueBounds
  readonly #lanes: Lanes
  readonly #forecasts: Forecasts
  readonly #hedges: Hedges
  readonly #deadlines: RankedHeap<Timed>
  readonly #effects: Effect[]
  readonly #limits: SchedulerLimits
  /** Finished jobs stay while one of their attempts holds a slot. */
  readonly #jobs = new PassingMap<Job>()
  #submitted = 0
  /** Attempts that continued a reply. */
  continued = 0

  constructor({ lanes, forecasts, hedges, deadlines, effects, limits }: JobsOptions) {
    this.bounds = new QueueBounds(limits)
    this.#lanes = lanes
    this.#forecasts = forecasts
    this.#hedges = hedges
    this.#deadlines = deadlines
    this.#effects = effects
    this.#limits = limits
  }

  get size(): number {
    return this.#jobs.size
  }

  get(job: string): Job | undefined {
    return this.#jobs.get(job)
  }

  all(): Iterable<Job> {
    return this.#jobs.values()
  }

  /** The caller lets it wait, or offers it to a device. Returns undefined if no device that serves the model can do it: then it has ended. */
  admit(ticket: Ticket, requestBytes: number, now: Ms): Job | undefined {
    if (this.#jobs.has(ticket.job)) throw new Error(`Cannot submit job ${ticket.job}: it is already there`)
    const lane = this.#lanes.open(ticket.organization, ticket.model)
    const job = newJob(ticket, lane, (this.#submitted += 1), now, this.#limits, requestBytes)
    const refusal = findUnsupported(job)
    if (refusal !== undefined) {
      this.refuse(ticket, refusal)
      return undefined
    }
    this.#jobs.set(ticket.job, job)
    lane.queue.join(job)
    return job
  }

  /** Takes up a job with its age. It then waits, or its attempt gets a slot. */
  readmit(stated: StatedJob, now: Ms): Job {
    const { ticket, requestBytes, startedMsAgo, attempt, course, hasShown, isRecordable } = stated
    const submittedAt = now - stated.ageMs
    const lane = this.#lanes.open(ticket.organization, ticket.model)
    const order = this.#orderOf(submittedAt)
    const job = newJob(ticket, lane, order, submittedAt, this.#limits, requestBytes)
    Object.assign(job, { attempt, course, hasShown, isRecordable })
    if (startedMsAgo !== undefined) job.totalUntil = now - startedMsAgo + this.#limits.totalMs
    this.#jobs.set(ticket.job, job)
    lane.queue.join(job)
    return job
  }

  // After all that are as old or older, before the first that is younger.
  #orderOf(submittedAt: Ms): number {
    let before = 0
    let after = Number.POSITIVE_INFINITY
    for (const job of this.#jobs.values()) {
      if (job.submittedAt > submittedAt) after = Math.min(after, job.order)
      else before = Math.max(before, job.order)
    }
    return after === Number.POSITIVE_INFINITY ? (this.#submitted += 1) : (before + after) / 2
  }

  /** Lets an adopted job wait, if its reply can still be had. */
  waitOn(job: Job, now: Ms): void {
    const { attempt, course, hasShown, ticket } = job
    const { begun } = course
    const isLost = hasShown && !ticket.rerunnable
    if (attempt > 0) job.waitUntil = Math.max(job.waitUntil, now + this.#renewedWait(begun !== undefined || hasShown))
    if (isLost && begun !== undefined && !hasDevice(job, job.lane)) job.waitUntil = now + this.#limits.returnMs
    this.wait(job)
    if (isLost && begun === undefined) this.finish(job, { kind: 'device-lost' }, now)
  }

  /** Forgets the job without an end. The caller releases its slots. */
  dismiss(job: Job): void {
    if (job.state.name === 'waiting') this.leaveQueue(job)
    else if (heldState(job) !== undefined) job.lane.queue.refund(job)
    if (job.state.name !== 'finished') job.lane.queue.part(job)
    job.state = FINISHED
    job.lane.late.delete(job)
    this.#jobs.delete(job.ticket.job)
    this.#lanes.tidy(job.lane)
  }

  /** Ends a job before it was admitted. */
  refuse({ job }: Ticket, outcome: Outcome): void {
    this.#effects.push({ type: 'finish', job, outcome, attempt: undefined })
  }

  /** Ends the waiting jobs that need one of the features that changed, if the devices now serving can't do them. */
  refuseUnsupported(lane: Lane, changed: FeatureMask, now: Ms): void {
    const outcomes = new Map<FeatureMask, Outcome | undefined>()
    for (const job of lane.queue.waiting()) {
      if ((job.features & changed) === 0) continue
      const isKnown = job.sealedFor === undefined && outcomes.has(job.features)
      const outcome = isKnown ? outcomes.get(job.features) : findUnsupported(job)
      if (job.sealedFor === undefined) outcomes.set(job.features, outcome)
      if (outcome !== undefined) this.finish(job, outcome, now)
    }
  }

  closeModel(lane: Lane, now: Ms): void {
    for (const job of this.#jobs.values()) {
      if (job.lane !== lane) continue
      job.isModelClosed = true
      lane.late.delete(job)
      if (job.state.name === 'waiting') this.finish(job, { kind: 'model-disabled' }, now)
    }
  }

  wait(job: Job): void {
    job.state = WAITING
    job.lane.late.delete(job)
    job.lane.queue.enter(job)
    this.bounds.enter(job.ticket.organization, job.ticket.key)
    this.#deadlines.put(job, nextDeadline(job))
    this.#lanes.touch(job.lane)
  }

  timeIsUp(job: Job, now: Ms): void {
    if (now >= Math.min(job.waitUntil, job.totalUntil)) return this.giveUpWaiting(job, now)
    job.isImpatient = true
    this.#deadlines.put(job, nextDeadline(job))
    this.#lanes.touch(job.lane)
  }

  leaveQueue(job: Job): void {
    job.lane.queue.leave(job)
    this.bounds.leave(job.ticket.organization, job.ticket.key)
    this.#deadlines.remove(job)
  }

  /** The attempt is over without an end; its slot was released or given up before. */
  loseAttempt(held: Held, loss: Loss, now: Ms): void {
    const { job, device } = held.lease
    const begun = begunBy(held)
    const outcome = judgeLoss(held, loss, begun, this.#limits)
    if (outcome !== undefined) return this.finish(job, outcome, now)
    if (held.name === 'running' && job.isModelClosed) return this.finish(job, { kind: 'model-disabled' }, now)
    // A device that continues a reply, and only lost its link, still has all of it in memory when it is back.
    if (begun === undefined || loss.kind !== 'lost') job.avoided = (job.avoided ?? new Set()).add(device)
    if (held.name === 'running' && !held.isLoading)
      job.waitUntil = Math.max(job.waitUntil, now + this.#renewedWait(hasDelivered(held)))
    this.#decideStart(held, begun, now)
    this.waitAgain(held, now)
  }

  // A begun reply is continued where that is possible. A whole reply starts over on any device rather than wait for a particular one.
  #decideStart(held: Held, begun: ModelFile | undefined, now: Ms): void {
    const { job } = held.lease
    const hasBegun = job.course.begun !== undefined || hasDelivered(held)
    const delivered = held.name === 'running' ? held.deliveredTokens : 0
    job.course = { ...job.course, begun, begunTokens: job.course.begunTokens + delivered }
    if (begun !== undefined && hasDevice(job, job.lane)) return
    if (begun !== undefined && job.hasShown && !job.ticket.rerunnable) job.waitUntil = now + this.#limits.returnMs
    else if (hasBegun) this.#startOver(job)
  }

  #startOver(job: Job): void {
    job.course = { ...job.course, begun: undefined, begunTokens: 0 }
    job.hasShown = false
  }

  /** The reply is too long to be recorded. */
  stopRecording(job: string): void {
    const found = this.#jobs.get(job)
    if (found !== undefined) found.isRecordable = false
  }

  // A whole reply that broke off gets its full waiting time again. Before the first event the old wait continues; if it ran out while a
  // device was reading the prompt, a device that is free right now still gets its chance.
  #renewedWait(hasBegun: boolean): Ms {
    return hasBegun ? this.#limits.waitMs : this.#limits.acceptMs
  }

  /** The device couldn't load the model. Nothing was lost but time, so no attempt is used up; others come first. */
  loadFailed(run: Running, now: Ms): void {
    const { job, device } = run.lease
    job.avoided = (job.avoided ?? new Set()).add(device)
    if (now >= job.waitUntil) this.giveUpWaiting(job, now)
    else this.waitAgain(run, now)
  }

  waitAgain(held: Held, now: Ms): void {
    const { job } = held.lease
    if (held.name === 'offered' && held.rival !== undefined) return this.#leaveTo(held.rival)
    if (job.isModelClosed) return this.finish(job, { kind: 'model-disabled' }, now)
    job.lane.queue.refund(job)
    this.wait(job)
  }

  /** The other device that the job was offered to may still accept it. */
  #leaveTo(rival: Lease): void {
    rival.job.state = { name: 'offered', lease: rival, rival: undefined }
    this.#hedges.seek(rival.job)
  }

  /** No device has accepted the job in time. */
  giveUpWaiting(job: Job, now: Ms): void {
    const isTotal = now >= job.totalUntil
    if (isTotal) return this.finish(job, { kind: 'timed-out', limit: 'total' }, now)
    if (job.course.begun !== undefined) return this.finish(job, { kind: 'device-lost' }, now)
    const retryMs = this.#forecasts.untilHalfway(job.lane, undefined, now)
    this.finish(job, { kind: 'no-device', retryMs }, now)
  }

  /** Too many wait already, of the key or of the whole organization. */
  rejectFull(job: Job, scope: 'key' | 'organization', now: Ms): void {
    const retryMs = this.#forecasts.untilHalfway(job.lane, scope === 'key' ? job.ticket.key : undefined, now)
    this.finish(job, { kind: 'queue-full', scope, retryMs }, now)
  }

  /** The one end of a job. Its slot, if it has one, was released or given up before. `counted` are the tokens as the device counted them. */
  finish(job: Job, outcome: Outcome, now: Ms, counted?: TokenCount): void {
    const run = job.state.name === 'running' && !job.state.isLoading ? job.state : undefined
    const tokens = (run && counted) ?? countTokens(job.ticket, job.course, outcome, run)
    if (run !== undefined) noteAnswer(run, now)
    if (job.state.name === 'waiting') this.leaveQueue(job)
    else if (heldState(job) !== undefined) job.lane.queue.settle(job, totalTokens(tokens))
    job.state = FINISHED
    job.lane.late.delete(job)
    job.lane.queue.part(job)
    this.#effects.push({ type: 'finish', job: job.ticket.job, outcome, attempt: run?.lease.attempt })
    this.forgetIfDone(job)
    this.#lanes.tidy(job.lane)
  }

  forgetIfDone(job: Job): void {
    const { job: id } = job.ticket
    if (job.state.name === 'finished' && job.givenUp.length === 0 && this.#jobs.get(id) === job) this.#jobs.delete(id)
  }
}

/** Of a waiting job: the end of its patience, then the end of its time. */
function nextDeadline({ isImpatient, patientUntil, waitUntil, totalUntil }: Job): Ms {
  return Math.min(isImpatient ? Number.POSITIVE_INFINITY : patientUntil, waitUntil, totalUntil)
}

/** Undefined if a device of the lane has all features of the job, or if there is no device at all. */
function findUnsupported({ lane, features, sealedFor }: Job): Outcome | undefined {
  const missing = missingFeatures(lane, features, sealedFor)
  return missing === 0 ? undefined : { kind: 'unsupported', missing: fromMask(missing) }
}
