// The way of a job: waiting → leased (offered, accepted) → finished, and back to waiting when an attempt is lost. Every change of a job or
// lease happens here, together with its deadline and with what the outside must be told. Who said what is `scheduler-core.ts`'s business.

import { judgeLoss, type Loss } from './attempts.ts'
import { backOff, endBackoff, trustAgain } from './backoff.ts'
import { canStart, chooseDevice } from './choose-device.ts'
import { fromMask, toMask } from './feature-mask.ts'
import { Lanes, missingFeatures } from './lanes.ts'
import { updateOpen } from './open-devices.ts'
import { learnSpeed } from './prompt-speed.ts'
import { QueueBounds } from './queue-bounds.ts'
import { RankedHeap } from './ranked-heap.ts'
import type { Job, Lane, Lease, ServedModel, Timed } from './state.ts'
import { deliveredTokens, NO_TOKENS, totalTokens } from './token-count.ts'
import type { CancelReason, Effect, Ms, Outcome, SchedulerLimits, Ticket, TokenCount } from './types.ts'

export class JobFlow {
  readonly effects: Effect[] = []
  /** Finished jobs stay while one of their attempts holds a slot. */
  readonly jobs = new Map<string, Job>()
  readonly lanes = new Lanes()
  readonly bounds: QueueBounds
  readonly deadlines = new RankedHeap<Timed>()
  readonly #limits: SchedulerLimits
  /** Lanes in which a job may have become able to start since the last `serve`. */
  readonly #touched = new Set<Lane>()
  #submitted = 0
  #granted = 0

  constructor(limits: SchedulerLimits) {
    this.#limits = limits
    this.bounds = new QueueBounds(limits)
  }

  begin(ticket: Ticket, now: Ms): Job {
    if (this.jobs.has(ticket.job)) throw new Error(`Cannot submit job ${ticket.job}: it is already there`)
    const job = newJob(ticket, this.lanes.open(ticket.organization, ticket.model), now, this.#limits.waitMs)
    job.order = this.#submitted += 1
    this.jobs.set(ticket.job, job)
    job.lane.queue.join(job)
    return job
  }

  wait(job: Job): void {
    job.state = 'waiting'
    job.lane.queue.enter(job)
    this.bounds.enter(job.ticket.organization, job.ticket.key)
    this.deadlines.put(job, Math.min(job.waitUntil, job.totalUntil))
    this.touch(job.lane)
  }

  touch(lane: Lane): void {
    this.#touched.add(lane)
  }

  /** Gives free slots to waiting jobs, wherever that may have become possible. Every call from outside ends with it. */
  serve(now: Ms): void {
    if (this.#touched.size === 0) return
    for (const lane of this.#touched) this.#serveLane(lane, now)
    this.#touched.clear()
  }

  #serveLane(lane: Lane, now: Ms): void {
    while (lane.queue.length > 0 && lane.open.length > 0) {
      const job = lane.queue.next((candidate) => canStart(candidate, lane))
      const served = job && chooseDevice(job, lane)
      if (served === undefined) return
      this.#offer(job!, served, now)
    }
  }

  #offer(job: Job, served: ServedModel, now: Ms): void {
    this.#leaveQueue(job)
    job.lane.queue.charge(job)
    job.state = 'leased'
    job.attempt += 1
    served.lastGrant = this.#granted += 1
    const lease = takeSlot(job, served, now)
    this.deadlines.put(lease, Math.min(now + this.#limits.acceptMs, job.waitUntil, job.totalUntil))
    const { device, epoch } = lease
    this.effects.push({ type: 'offer', job: job.ticket.job, attempt: job.attempt, device, epoch })
  }

  accept(lease: Lease, now: Ms): void {
    const { job, served } = lease
    lease.state = 'accepted'
    lease.acceptedAt = lease.lastSignAt = job.acceptedAt = now
    if (job.totalUntil === Number.POSITIVE_INFINITY) job.totalUntil = now + this.#limits.totalMs
    this.watch(lease)
    this.trust(served)
  }

  /** The device put the job back before it started: no attempt is used up. */
  putBack(lease: Lease, now: Ms): void {
    this.release(lease)
    backOff(lease.served)
    this.deadlines.put(lease.served, now + lease.served.backoffMs)
    this.#again(lease, now)
  }

  /** The device cannot do this job, however often it is asked. */
  exclude(lease: Lease, now: Ms): void {
    this.release(lease)
    lease.job.excluded = (lease.job.excluded ?? new Set()).add(lease.device)
    this.#again(lease, now)
  }

  /** The silence that the device may keep, counted from its last sign of life. */
  silentUntil(lease: Lease): Ms {
    return lease.lastSignAt + (lease.nextSequence > 0 ? this.#limits.gapMs : this.#limits.firstEventMs)
  }

  watch(lease: Lease): void {
    this.deadlines.put(lease, Math.min(this.silentUntil(lease), lease.job.totalUntil))
  }

  /** The prompt has been read: the device showed how fast, and holds the conversation from now on. */
  firstEvent(lease: Lease, now: Ms): void {
    const { served, job } = lease
    served.msPerCharacter = learnSpeed(served.msPerCharacter, lease.uncached, now - lease.acceptedAt!)
    if (served.slots > 0) served.lane.memory.remember(served, job.ticket.prefixes)
    lease.lastSignAt = now
    this.watch(lease)
  }

  /** The backoff is over; the next one will be longer unless the device accepts. */
  approach(served: ServedModel): void {
    endBackoff(served)
    this.touch(served.lane)
  }

  trust(served: ServedModel): void {
    if (served.backoffMs === 0) return
    trustAgain(served)
    this.deadlines.remove(served)
    this.touch(served.lane)
  }

  /** Gives an attempt up while the device may still work on it: the slot stays taken until it answers. */
  stop(lease: Lease, reason: CancelReason, now: Ms): void {
    lease.state = 'closing'
    lease.job.closing.push(lease)
    this.deadlines.put(lease, now + this.#limits.cancelMs)
    const { attempt, device, epoch } = lease
    this.effects.push({ type: 'cancel', job: lease.job.ticket.job, attempt, device, epoch, reason })
  }

  /** Nobody knows what the device does with this slot: it is not used again before the device speaks or its link goes. */
  suspect(lease: Lease): void {
    if (lease.isSuspect) return
    lease.isSuspect = true
    lease.served.suspect += 1
    this.deadlines.remove(lease)
    this.touch(lease.served.lane)
  }

  release(lease: Lease): void {
    if (lease.state === 'released') throw new Error(`Cannot release a slot of device ${lease.device} twice`)
    const { job, served } = lease
    if (lease.state === 'closing') job.closing.splice(job.closing.indexOf(lease), 1)
    lease.state = 'released'
    served.leased -= 1
    updateOpen(served)
    if (lease.isSuspect) served.suspect -= 1
    served.device.leases.delete(lease)
    this.deadlines.remove(lease)
    this.touch(served.lane)
    this.#forget(job)
  }

  /** The attempt that counts is over without an end; its slot was released or stopped before. */
  lose(lease: Lease, loss: Loss, now: Ms): void {
    const { job } = lease
    const outcome = judgeLoss(job, lease, loss, this.#limits)
    if (outcome !== undefined) return this.finish(job, outcome, now)
    job.avoided = (job.avoided ?? new Set()).add(lease.device)
    if (lease.acceptedAt !== undefined) job.waitUntil = Math.max(job.waitUntil, now + this.#renewedWait(lease))
    this.#again(lease, now)
  }

  // A whole reply that broke off waits anew. Before the first event the old wait goes on; if it ran out while a device was reading,
  // a device that is free now still gets its chance.
  #renewedWait(lease: Lease): Ms {
    return lease.nextSequence > 0 ? this.#limits.waitMs : this.#limits.acceptMs
  }

  #again(lease: Lease, now: Ms): void {
    const { job } = lease
    if (job.isModelClosed) return this.finish(job, { kind: 'model-disabled' }, now)
    if (lease.nextSequence > 0) this.effects.push({ type: 'restart', job: job.ticket.job })
    job.lane.queue.refund(job)
    job.lease = undefined
    job.acceptedAt = undefined
    this.wait(job)
  }

  /**
   * The one end of a job. A slot that it still holds was stopped before. Only the last attempt is counted: what earlier ones produced was void,
   * and the client never saw it.
   */
  finish(job: Job, outcome: Outcome, now: Ms, counted?: TokenCount): void {
    const isAccepted = job.lease !== undefined && job.acceptedAt !== undefined
    const tokens = isAccepted ? (counted ?? deliveredTokens(job.lease!)) : NO_TOKENS
    if (job.state === 'waiting') this.#leaveQueue(job)
    else if (job.state === 'leased') job.lane.queue.settle(job, totalTokens(tokens))
    job.state = 'finished'
    job.lane.queue.part(job)
    const device = job.acceptedAt === undefined ? undefined : job.lease?.device
    const waitMs = (job.acceptedAt ?? now) - job.submittedAt
    this.effects.push({ type: 'finish', job: job.ticket.job, outcome, device, waitMs, tokens })
    job.lease = undefined
    this.#forget(job)
    this.lanes.tidy(job.lane)
  }

  /** Ends the job at once; a device that works on it is told to stop. */
  abandon(job: Job, outcome: Outcome, reason: CancelReason, now: Ms): void {
    if (job.state === 'finished') return
    if (job.lease !== undefined) this.stop(job.lease, reason, now)
    this.finish(job, outcome, now)
  }

  /** Waiting jobs that the devices now serving cannot do. */
  refuseUnservable(lane: Lane, now: Ms): void {
    for (const job of lane.queue.waiting()) this.refuseIfUnservable(job, now)
  }

  refuseIfUnservable(job: Job, now: Ms): boolean {
    const missing = missingFeatures(job.lane, job.features)
    if (missing !== 0) this.finish(job, { kind: 'unsupported', missing: fromMask(missing) }, now)
    return missing !== 0
  }

  #leaveQueue(job: Job): void {
    job.lane.queue.leave(job)
    this.bounds.leave(job.ticket.organization, job.ticket.key)
    this.deadlines.remove(job)
  }

  #forget(job: Job): void {
    if (job.state === 'finished' && job.closing.length === 0) this.jobs.delete(job.ticket.job)
  }
}

function newJob(ticket: Ticket, lane: Lane, now: Ms, waitMs: Ms): Job {
  return {
    kind: 'job',
    rank: 0,
    place: -1,
    order: 0,
    ticket,
    features: toMask(ticket.features),
    lane,
    submittedAt: now,
    state: 'new',
    waitUntil: now + waitMs,
    totalUntil: Number.POSITIVE_INFINITY,
    acceptedAt: undefined,
    attempt: 0,
    losses: 0,
    crashes: 0,
    isModelClosed: false,
    lease: undefined,
    closing: [],
    avoided: undefined,
    excluded: undefined,
  }
}

function takeSlot(job: Job, served: ServedModel, now: Ms): Lease {
  const held = served.lane.memory.heldSize(served, job.ticket.prefixes)
  const lease: Lease = {
    kind: 'lease',
    rank: 0,
    place: -1,
    job,
    attempt: job.attempt,
    served,
    device: served.device.id,
    epoch: served.device.epoch,
    state: 'offered',
    isSuspect: false,
    acceptedAt: undefined,
    lastSignAt: now,
    nextSequence: 0,
    promptTokens: undefined,
    deliveredTokens: 0,
    uncached: Math.max(0, job.ticket.promptSize - held),
  }
  job.lease = lease
  served.leased += 1
  updateOpen(served)
  served.device.leases.add(lease)
  return lease
}
