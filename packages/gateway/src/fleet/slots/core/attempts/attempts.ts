// Attempts: one try of a job on one device, from the offer to its end. Fronts report on them, and time runs out; the table says what
// follows, by the state of the job (offered, running) or, once the attempt was given up, of its slot.
//
//                offered                running            stopping, suspect
//   accept       run                    –                  –
//   refuse       wait again             lose               free the slot
//   progress     run                    note it            –
//   loading      run, keep waiting      keep waiting       –
//   delivered    run, note it           note it            –
//   end          run, finish            finish             free the slot
//   error        run, lose              lose               free the slot            while loading: wait again
//   cancelled    lose                   lose               free the slot
//   hand over    –                      stop, lose         –                        only if another device can continue at once
//   link lost    lose                   lose               free the slot
//   nonsense     run, stop, lose        stop, lose         –
//   time is up   stop, lose             stop, lose         suspect the slot
//   late         offer it twice         –                  –
//
// A device that reports on a job has accepted it, even if it never said so. Losing an attempt means that the job waits again or ends. A
// report that does not come from the device and link that hold the attempt is late, and is dropped.

import { MAX_JOB_TOKENS, type CancelReason, type RefuseReason } from '@hearth/protocol'
import type { Failure, Outcome } from '@hearth/chat'
import { canLeave } from './can-leave.ts'
import { findGivenUp, findHeld } from './find-attempt.ts'
import type { Hedges } from './hedges.ts'
import type { Jobs } from './jobs.ts'
import type { RankedHeap } from '../ranked-heap.ts'
import type { Slots } from '../slots/slots.ts'
import {
  hasDelivered,
  heldBy,
  heldState,
  newRun,
  type Held,
  type Job,
  type Lease,
  type Offered,
  type Running,
  type Timed,
} from '../state/state.ts'
import type { Effect, SchedulerLimits } from '../types.ts'
import type { Delivered, Ms, Reporter, TokenCount } from '../../../terms/job.ts'
import { Silence } from './silence.ts'

export interface AttemptsOptions {
  jobs: Jobs
  slots: Slots
  hedges: Hedges
  deadlines: RankedHeap<Timed>
  effects: Effect[]
  limits: SchedulerLimits
}

export class Attempts {
  readonly #jobs: Jobs
  readonly #slots: Slots
  readonly #hedges: Hedges
  readonly #silence: Silence
  readonly #effects: Effect[]
  readonly #limits: SchedulerLimits

  constructor({ jobs, slots, hedges, deadlines, effects, limits }: AttemptsOptions) {
    this.#jobs = jobs
    this.#slots = slots
    this.#hedges = hedges
    this.#silence = new Silence(deadlines, limits)
    this.#effects = effects
    this.#limits = limits
  }

  watch(run: Running): void {
    this.#silence.put(run)
  }

  /** Ends the job at once, and stops a device that works on it. */
  abandon(job: Job, outcome: Outcome, reason: CancelReason, now: Ms): void {
    if (job.state.name === 'finished') return
    const held = heldState(job)
    if (held !== undefined) this.#stop(held.lease, reason, now)
    if (held?.name === 'offered') this.#stopRival(held, reason, now)
    this.#jobs.finish(job, outcome, now)
  }

  accepted(from: Reporter, now: Ms): void {
    const held = this.#held(from)
    if (held?.name === 'offered') this.#accept(held, now)
  }

  refused(from: Reporter, reason: RefuseReason, now: Ms): void {
    const held = this.#held(from)
    if (held === undefined) return void this.#free(from)
    this.#release(held.lease)
    if (held.name === 'running') this.#jobs.loseAttempt(held, { kind: 'lost' }, now)
    else this.#putBack(held, reason, now)
  }

  progress(from: Reporter, promptTokens: number | undefined, now: Ms): void {
    const run = this.#signOfLife(from, now)
    if (run === undefined) return
    this.#silence.working(run, now)
    if (promptTokens !== undefined) run.promptTokens = Math.min(promptTokens, MAX_JOB_TOKENS)
  }

  loading(from: Reporter, now: Ms): void {
    const run = this.#signOfLife(from, now)
    if (run !== undefined) this.#silence.loading(run)
  }

  #signOfLife(from: Reporter, now: Ms): Running | undefined {
    const held = this.#held(from)
    const run = held && this.#begun(held, now)
    if (run !== undefined) run.lastSignAt = now
    return run
  }

  delivered(from: Reporter, { nextSequence, tokens, isShown }: Delivered, now: Ms): void {
    const run = this.#signOfLife(from, now)
    if (run === undefined) return
    const isFirst = run.nextSequence === 0 && nextSequence > 0
    if (nextSequence > 0) this.#silence.working(run, now)
    run.nextSequence = Math.max(run.nextSequence, nextSequence)
    run.deliveredTokens = Math.max(run.deliveredTokens, tokens)
    if (isShown) run.lease.job.hasShown = true
    if (isFirst) this.#firstEvent(run, now)
  }

  ended(from: Reporter, tokens: TokenCount | undefined, now: Ms): void {
    const held = this.#held(from)
    if (held === undefined) return this.#endLate(from)
    const run = this.#begun(held, now)
    this.#silence.working(run, now)
    this.#release(run.lease)
    this.#slots.trust(run.lease.served)
    this.#jobs.finish(run.lease.job, { kind: 'ended' }, now, tokens)
  }

  #endLate(from: Reporter): void {
    const lease = this.#free(from)
    if (lease !== undefined) this.#slots.trust(lease.served)
  }

  failed(from: Reporter, failure: Failure, now: Ms): void {
    const held = this.#held(from)
    if (held === undefined) return void this.#free(from)
    const run = this.#begun(held, now)
    this.#release(run.lease)
    if (!run.isLoading || !failure.retryable || failure.crashed)
      return this.#jobs.loseAttempt(run, { kind: 'failed', failure }, now)
    this.#slots.backOff(run.lease.served, now)
    this.#jobs.loadFailed(run, now)
  }

  /** The device sent nonsense about the attempt, so it has to stop. */
  faulted(from: Reporter, now: Ms): void {
    const held = this.#held(from)
    if (held !== undefined) this.#fault(held, now)
  }

  /** Nothing changes unless another device can continue at once: a client doesn't have to wait because an owner came back. */
  handOver(from: Reporter, now: Ms): void {
    const held = this.#held(from)
    if (held?.name !== 'running' || !canLeave(held, this.#limits)) return
    const { job, device } = held.lease
    job.avoided = (job.avoided ?? new Set()).add(device)
    this.#stop(held.lease, 'superseded', now)
    this.#jobs.loseAttempt(held, { kind: 'lost' }, now)
  }

  cancelConfirmed(from: Reporter, now: Ms): void {
    const held = this.#held(from)
    if (held === undefined) this.#free(from)
    else this.lost(held.lease, now)
  }

  /** Nothing more will come: the device stopped on its own, or its link is gone. */
  lost(lease: Lease, now: Ms): void {
    const held = heldBy(lease)
    this.#release(lease)
    if (held !== undefined) this.#jobs.loseAttempt(held, { kind: 'lost' }, now)
  }

  timeIsUp(lease: Lease, now: Ms): void {
    const held = heldBy(lease)
    if (held === undefined) this.#slots.suspect(lease)
    else if (held.name === 'running') this.#silent(held, now)
    else if (now < lease.answerBy) this.#hedges.late(lease)
    else this.#unanswered(held, now)
  }

  #unanswered(offered: Offered, now: Ms): void {
    const { lease } = offered
    const { job } = lease
    this.#stop(lease, 'timed-out', now)
    if (now < Math.min(job.waitUntil, job.totalUntil)) {
      this.#slots.suspect(lease)
      return this.#jobs.loseAttempt(offered, { kind: 'unanswered' }, now)
    }
    this.#stopRival(offered, 'timed-out', now)
    this.#jobs.giveUpWaiting(job, now)
  }

  #silent(run: Running, now: Ms): void {
    const { job } = run.lease
    const isTotal = now >= job.totalUntil
    if (!isTotal && now < this.#silence.silentUntil(run)) return this.#silence.put(run)
    this.#stop(run.lease, 'timed-out', now)
    if (run.isLoading && now >= job.waitUntil) return this.#jobs.giveUpWaiting(job, now)
    if (isTotal) return this.#jobs.finish(job, { kind: 'timed-out', limit: 'total' }, now)
    this.#jobs.loseAttempt(run, { kind: 'silent', limit: hasDelivered(run) ? 'gap' : 'first-event' }, now)
  }

  #accept(offered: Offered, now: Ms): Running {
    const { lease } = offered
    const { job, served } = lease
    if (offered.rival !== undefined && offered.rival.attempt < lease.attempt) this.#hedges.count.won += 1
    this.#stopRival(offered, 'superseded', now)
    const run = newRun(lease, now)
    job.state = run
    if (lease.isLate) job.lane.late.delete(job)
    // A device that is there to continue the reply may take its time to load the model.
    if (job.course.begun !== undefined) {
      job.waitUntil = Math.max(job.waitUntil, now + this.#limits.waitMs)
      this.#jobs.continued += 1
    }
    if (job.totalUntil === Number.POSITIVE_INFINITY) job.totalUntil = now + this.#limits.totalMs
    this.#silence.put(run)
    this.#slots.trust(served)
    this.#hedges.heard(served.device)
    return run
  }

  #begun(held: Held, now: Ms): Running {
    return held.name === 'running' ? held : this.#accept(held, now)
  }

  #firstEvent(run: Running, now: Ms): void {
    run.firstEventAt = now
    this.#slots.learn(run, now)
    this.#silence.put(run)
  }

  #fault(held: Held, now: Ms): void {
    const run = this.#begun(held, now)
    this.#stop(run.lease, 'superseded', now)
    this.#jobs.loseAttempt(run, { kind: 'lost' }, now)
  }

  /** The device gave the job back before it started: no attempt is used up. */
  #putBack(offered: Offered, reason: RefuseReason, now: Ms): void {
    const { job, served, device } = offered.lease
    const isForGood = reason === 'unsupported' || reason === 'wrong-organization'
    if (isForGood) job.excluded = (job.excluded ?? new Set()).add(device)
    else this.#slots.backOff(served, now)
    this.#jobs.waitAgain(offered, now)
  }

  #stopRival({ rival }: Offered, reason: CancelReason, now: Ms): void {
    if (rival !== undefined) this.#stop(rival, reason, now)
  }

  #stop(lease: Lease, reason: CancelReason, now: Ms): void {
    const { job, attempt, device, epoch } = lease
    this.#slots.giveUp(lease, now + this.#limits.cancelMs)
    this.#effects.push({ type: 'cancel', job: job.ticket.job, attempt, device, epoch, reason })
  }

  #release(lease: Lease): void {
    this.#slots.release(lease)
    this.#hedges.heard(lease.served.device)
    this.#jobs.forgetIfDone(lease.job)
  }

  /** The last report on an attempt that was given up before. It only means that the slot is free. */
  #free(from: Reporter): Lease | undefined {
    const found = findGivenUp(this.#jobs.get(from.job), from)
    if (found !== undefined) this.#release(found)
    return found
  }

  freeGivenUp(from: Reporter): void {
    this.#free(from)
  }

  holds(from: Reporter): boolean {
    return this.#held(from) !== undefined
  }

  #held(from: Reporter): Held | undefined {
    return findHeld(this.#jobs.get(from.job), from)
  }
}
