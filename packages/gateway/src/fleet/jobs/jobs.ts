// The jobs that came in at this gateway. Each has one state, here and nowhere else: a slot is requested, the prompt is sent to the hub of the
// device that was leased, what comes back is delivered, and what follows when a device fails is decided here.
//
// A job    submit ──▶ waiting ──lease──▶ offered ──accept──▶ running ──end──▶ over
//                       ▲                  │                    │
//                       └── put back, lost ┘      lost, tried again
//                       └───────────────────────────────────────┘
//
// An offer that is not answered within a second is made to a second device too: accepting stops the other one. Any state leads to the end when the
// client leaves, the key is revoked, time is up, no attempt is left, or the gateway shuts down. The scheduler hears only what concerns slots:
// `request`, `withdraw`, and of each lease that its device accepted or is late, and at last what it took.

import type { CancelReason, JobAttempt, RefuseReason } from '@hearth/protocol'
import { PassingMap, type Failure, type JobHandle, type Outcome, type SerializedJob } from '@hearth/chat'
import type { Clock } from '../../time/clock.ts'
import { RankedHeap } from '../../time/ranked-heap.ts'
import { WakeTimer } from '../../time/wake-timer.ts'
import type { SlotRequest, Lease, Ms, Settlement, Ticket, TokenCount } from '../terms/job.ts'
import type { JobFrame } from '../terms/job-frame.ts'
import type { Gateways } from '../ports/gateways.ts'
import type { JobsPort } from '../ports/jobs-port.ts'
import type { SchedulerPort } from '../ports/scheduler-port.ts'
import type { Declined, FrontWaitingJob, JobOrder, LeaseOf } from '../terms/messages.ts'
import { canStart, deliverEnd, startAttempt, restartJob } from './deliver.ts'
import {
  avoid,
  begunBy,
  currentOffers,
  findOffer,
  hasDelivered,
  OVER,
  runOf,
  WAITING,
  Job,
  Running,
  type Offer,
} from './job.ts'
import { recordOf, totalTokens, type JobRecord } from './job-record.ts'
import { judgeFrame, type Judge } from './judge-frame.ts'
import { judgeLoss, mayLeave, type Loss } from './judge-loss.ts'
import type { JobLimits } from './limits.ts'
import type { Recipient } from './sealed-reply.ts'

export interface JobsOptions {
  gateways: Gateways
  limits: JobLimits
  clock: Clock
  onRecord: (record: JobRecord) => void
  /** Calls `act` when what was recorded is safe: then the client gets the end. At once, if it is left out. */
  whenRecorded?: ((act: () => void) => void) | undefined
  watch?: JobWatch | undefined
}

/** Hears of the steps of jobs, for traces. Most gateways have none. */
export interface JobWatch {
  offered(offer: Offer, isContinued: boolean): void
  accepted(run: Running): void
  settled(offer: Offer, kind: Settlement['kind'], run: Running | undefined): void
}

/** A scheduler that can't be reached doesn't decide. This long after it should have, the job ends. */
const DECISION_GRACE_MS = 10_000
/** A device can only answer once it has the whole request, and some connections take this long for it: a megabit per second. */
const SLOW_LINK_BYTES_PER_MS = 128
/** Devices that a scheduler hears of. A job that has met more finds no better one. */
const MOST_NAMED = 1_000

export class Jobs implements JobsPort, Judge {
  readonly #options: JobsOptions
  readonly #gateways: Gateways
  readonly #limits: JobLimits
  readonly #jobs = new PassingMap<Job>()
  readonly #deadlines = new RankedHeap<Job>()
  readonly #timer: WakeTimer
  #isShutDown = false
  /** Since the start: jobs offered to a second device because the first took long to answer, those that it accepted first, and replies that a device continued. */
  readonly counts = { secondOffers: 0, secondOffersWon: 0, continuedReplies: 0 }

  constructor(options: JobsOptions) {
    this.#options = options
    this.#gateways = options.gateways
    this.#limits = options.limits
    this.#timer = new WakeTimer(options.clock, () => this.tick())
  }

  get jobCount(): number {
    return this.#jobs.size
  }

  /** Jobs that are offered or running. */
  get runningCount(): number {
    let count = 0
    for (const { state } of this.#jobs.values()) if (state.name !== 'waiting') count += 1
    return count
  }

  submit(ticket: Ticket, request: SerializedJob, recipient: Recipient): JobHandle {
    const job = new Job(ticket, request, recipient, this.#now(), this.#limits.waitMs)
    // Nobody has to hear of a job that comes too late.
    if (this.#isShutDown) job.state = OVER
    this.#jobs.set(ticket.job, job)
    if (this.#isShutDown) this.#finish(job, { kind: 'shutdown' }, job.submittedAt)
    else this.#requestSlot(job, 'slot', job.submittedAt, true)
    return {
      cancel: (reason) => this.#abandon(job, { kind: 'cancelled' }, reason),
      giveUp: (full) => this.#abandon(job, { kind: 'out-of-memory', full }, 'superseded'),
      pause: () => this.#setPaused(job, true),
      resume: () => this.#setPaused(job, false),
    }
  }

  keyRevoked(key: string): void {
    for (const job of this.#jobs.values())
      if (job.ticket.key === key) this.#abandon(job, { kind: 'key-revoked' }, 'revoked')
  }

  /** Jobs that wait for the model end; those that run may finish, but are not run again. */
  modelClosed(organization: string, model: string): void {
    for (const job of this.#jobs.values()) {
      if (job.ticket.organization !== organization || job.ticket.model !== model) continue
      job.isModelClosed = true
      if (job.state.name === 'waiting') this.#finish(job, { kind: 'model-disabled' }, this.#now())
      else this.#seek(job, this.#now())
    }
  }

  /** Ends all jobs; those submitted later end at once. */
  shutdown(): void {
    this.#isShutDown = true
    for (const job of this.#jobs.values()) this.#abandon(job, { kind: 'shutdown' }, 'shutdown')
  }

  close(): void {
    this.#timer.stop()
  }

  /** The jobs of a key that have produced nothing yet. */
  waiting(key: string): FrontWaitingJob[] {
    const now = this.#now()
    return this.#jobs.values().flatMap((job) => {
      const { ticket, answer, submittedAt } = job
      if (ticket.key !== key || answer.firstEventAt !== undefined) return []
      const device = runOf(job)?.device
      const progress = device === undefined ? undefined : answer.progress
      return { job: ticket.job, model: ticket.model, device, progress, ageMs: now - submittedAt }
    })
  }

  /** What has waited this long for a device. */
  longWaits(forMs: Ms): Ticket[] {
    const since = this.#now() - forMs
    return this.#jobs
      .values()
      .filter(({ state, submittedAt }) => state.name === 'waiting' && submittedAt <= since)
      .map(({ ticket }) => ticket)
  }

  // Slots.

  /** Another gateway leases for these organizations now, or this one can be reached again: what waits requests its slot again, with its age. */
  requestAgain(isWanted: (organization: string) => boolean): void {
    const now = this.#now()
    for (const job of this.#jobs.values()) if (isWanted(job.ticket.organization)) this.#repeatRequest(job, now)
  }

  #repeatRequest(job: Job, now: Ms): void {
    if (job.state.name === 'waiting') this.#requestSlot(job, 'slot', now)
    else if (job.isSeeking) this.#requestSlot(job, 'second', now)
  }

  #requestSlot(job: Job, want: SlotRequest['want'], now: Ms, isFirst = false): void {
    const { organization } = job.ticket
    this.#schedulerOf(job)?.request(organization, slotRequestOf(job, want, now, isFirst), this.#gateways.self)
    this.#expectDecision(job, now)
  }

  #schedulerOf({ ticket }: Job): SchedulerPort | undefined {
    return this.#gateways.schedulerOf(ticket.organization)
  }

  #expectDecision(job: Job, now: Ms): void {
    if (job.state.name === 'waiting') this.#watch(job, Math.max(now, job.waitUntil) + DECISION_GRACE_MS)
  }

  lease(organization: string, lease: Lease, from: string): void {
    const now = this.#now()
    const job = this.#jobs.get(lease.job)
    if (job === undefined || !isWanted(job, lease)) return this.#giveBack(organization, lease, job, 'unused', from)
    if (!this.#gateways.isReachable(lease.hub)) {
      this.#giveBack(organization, lease, job, 'unreachable', from)
      return this.#repeatRequest(job, now)
    }
    const run = runOf(job)
    if (run !== undefined) this.#leave(job, run, now)
    if (lease.want !== 'second') prepare(job, lease)
    if (lease.waitMs !== undefined) job.waitUntil = now + lease.waitMs
    job.expectedMs ??= lease.expectedMs
    this.#offer(job, lease, now)
  }

  /** To the scheduler that gave it: another one knows nothing of it, and a gateway that has not joined again yet knows no other. */
  #giveBack(organization: string, of: LeaseOf, job: Job | undefined, kind: Settlement['kind'], to: string): void {
    const { key = '', model = '' } = job?.ticket ?? {}
    const settlement = { key, model, tokens: 0, kind, measured: undefined }
    this.#gateways.of(to).schedulers.settle(organization, of, settlement, undefined, this.#gateways.self)
  }

  #offer(job: Job, { lease, device, epoch, edition, hub, file, isLate, want }: Lease, now: Ms): void {
    const { ticket, request, state, answer } = job
    const { organization, model, job: id, client } = ticket
    // Another device could not use tokens of a web search: it would find other pages.
    const isRecorded = answer.isRecordable && !ticket.features.includes('web_search')
    const offer: Offer = {
      job: id,
      attempt: answer.attempts + 1,
      lease,
      device,
      epoch,
      hub,
      file: isRecorded ? file : undefined,
      offeredAt: now,
      lateAt: now + this.#limits.hedgeMs + request.bytes / SLOW_LINK_BYTES_PER_MS,
      answerBy: Math.min(now + this.#limits.acceptMs, job.waitUntil, job.totalUntil),
      isLate,
    }
    if (isLate) avoid(job, device)
    if (want === 'second') this.counts.secondOffers += 1
    job.isSeeking = false
    job.state = { name: 'offered', offers: state.name === 'offered' ? [...state.offers, offer] : [offer] }
    this.#options.watch?.offered(offer, job.begun !== undefined)
    const text = startAttempt(job, offer.file !== undefined)
    const start = { job: id, attempt: offer.attempt, lease, device, epoch, edition, organization, model, client }
    this.#gateways.of(hub).hub.start(start, text, this.#gateways.self)
    if (findOffer(job, offer.attempt) !== undefined) this.#expectAnswer(job, now)
  }

  /** Its offers have changed. */
  #expectAnswer(job: Job, now: Ms): void {
    const { state } = job
    if (state.name !== 'offered') return
    const first = state.offers.reduce((least, offer) => Math.min(least, nextDeadline(offer)), Number.POSITIVE_INFINITY)
    this.#watch(job, first)
    this.#seek(job, now)
  }

  /** Asks for a second device if the only one is late. */
  #seek(job: Job, now: Ms): void {
    const { state, ticket } = job
    const isAlone = state.name === 'offered' && state.offers.length === 1 && state.offers.every(({ isLate }) => isLate)
    const isSeeking = isAlone && !job.isModelClosed
    if (isSeeking === job.isSeeking) return
    job.isSeeking = isSeeking
    if (isSeeking) this.#requestSlot(job, 'second', now)
    else this.#withdraw(ticket)
  }

  #withdraw({ organization, job }: Ticket): void {
    this.#gateways.schedulerOf(organization)?.withdraw(organization, job, this.#gateways.self)
  }

  /** There is no slot for the job. A gateway that was away may still decide for jobs that it has no say in. */
  decline(organization: string, id: string, outcome: Declined, from: string): void {
    const job = this.#jobs.get(id)
    if (job?.state.name !== 'waiting' || !this.#gateways.isSchedulerOf(organization, from)) return
    const now = this.#now()
    this.#finish(job, outcome.kind === 'no-device' ? outOfTime(job, outcome, now) : outcome, now)
  }

  // Frames from devices, by way of their hubs.

  frame(frame: JobFrame): void {
    const job = this.#jobs.get(frame.job)
    if (job !== undefined) judgeFrame(job, frame, this, this.#now())
  }

  /** The device's link is gone. The scheduler hears it from here too: otherwise it could lease the same link again. */
  attemptLost({ job: id, attempt, wasSent }: JobAttempt & { wasSent: boolean }): void {
    const job = this.#jobs.get(id)
    const offer = job && findOffer(job, attempt)
    if (job === undefined || offer === undefined) return
    if (wasSent) return this.#lose(job, attempt, { kind: 'lost' }, this.#now(), 'lost')
    job.answer.unsent += 1
    this.#waitAgain(job, offer, 'lost', this.#now())
  }

  /** Devices of that hub may continue for a moment, until it notices too and stops them. */
  hubLost(hub: string): void {
    for (const job of this.#jobs.values())
      for (const { attempt } of currentOffers(job).filter((offer) => offer.hub === hub))
        this.#lose(job, attempt, { kind: 'lost' }, this.#now(), 'stopping')
  }

  // The judge of frames.

  accept(job: Job, offer: Offer, now: Ms): Running {
    const others = currentOffers(job).filter((other) => other !== offer)
    const run = new Running(offer, now)
    job.state = run
    this.#options.watch?.accepted(run)
    this.#schedulerOf(job)?.accepted(job.ticket.organization, offer, this.#gateways.self)
    if (others.some(({ attempt }) => attempt < offer.attempt)) this.counts.secondOffersWon += 1
    // The other device must not run the job from the start if this one fails later.
    for (const other of others) this.#drop(job, other, 'superseded')
    if (job.isSeeking) this.#seek(job, now)
    // A device that is there to continue the reply may take its time to load the model.
    if (job.begun !== undefined) {
      job.waitUntil = Math.max(job.waitUntil, now + this.#limits.waitMs)
      this.counts.continuedReplies += 1
    }
    if (job.totalUntil === Number.POSITIVE_INFINITY) job.totalUntil = now + this.#limits.totalMs
    this.moved(job, run)
    // The device that continues the reply of a slow client doesn't know that it is slow.
    if (job.isPaused) this.#order(offer, { type: 'job-pause', job: offer.job, attempt: offer.attempt })
    return run
  }

  moved(job: Job, run: Running): void {
    this.#watch(job, Math.min(this.#silentUntil(job, run), job.totalUntil))
  }

  refused(job: Job, attempt: number, reason: RefuseReason, now: Ms): void {
    if (runOf(job)?.number === attempt) return this.#lose(job, attempt, { kind: 'lost' }, now)
    const offer = findOffer(job, attempt)
    if (offer === undefined) return
    const isForGood = reason === 'unsupported' || reason === 'wrong-organization'
    if (isForGood) job.excluded = (job.excluded ?? new Set()).add(offer.device)
    // The device gave the job back before it started: no attempt is used up.
    this.#waitAgain(job, offer, isForGood ? 'failed' : 'refused', now)
  }

  failed(job: Job, run: Running, failure: Failure, now: Ms): void {
    if (!run.isLoading || !failure.retryable || failure.crashed)
      return this.#lose(job, run.number, { kind: 'failed', failure }, now)
    // The device couldn't load the model. Nothing was lost but time, so no attempt is used up; others come first.
    avoid(job, run.device)
    this.#waitAgain(job, run.offer, 'refused', now)
  }

  stopped(job: Job, attempt: number, now: Ms): void {
    this.#lose(job, attempt, { kind: 'lost' }, now)
  }

  faulted(job: Job, run: Running, now: Ms): void {
    this.#cancel(run.offer, 'superseded')
    this.#lose(job, run.number, { kind: 'lost' }, now, 'stopping')
  }

  ended(job: Job, run: Running, tokens: TokenCount | undefined, now: Ms): void {
    const record = this.#finish(job, { kind: 'ended' }, now, run, tokens)
    this.#settle(job, run.offer, 'ended', run, totalTokens(record.tokens))
  }

  /** Nothing changes unless another device can continue at once: a client doesn't have to wait because an owner came back. */
  handOver(job: Job, run: Running, now: Ms): void {
    if (!mayLeave(job, run, begunBy(job, run), this.#limits)) return
    const { avoided } = job
    job.avoided = new Set(avoided).add(run.device)
    job.movesFrom = run.number
    this.#requestSlot(job, 'move', now)
    if (job.state === run) job.avoided = avoided
  }

  /** Another device has a slot for it. */
  #leave(job: Job, run: Running, now: Ms): void {
    const begun = begunBy(job, run)
    this.#cancel(run.offer, 'superseded')
    judgeLoss(job, run, { kind: 'lost' }, begun, this.#limits)
    avoid(job, run.device)
    this.#noteLoss(job, run, now)
    job.state = WAITING
    this.#settle(job, run.offer, 'stopping', run)
  }

  // Losses.

  /** The attempt is over without an end. What its slot is good for, its hub knows. */
  #lose(job: Job, attempt: number, loss: Loss, now: Ms, kind: Settlement['kind'] = 'failed'): void {
    const offer = findOffer(job, attempt)
    if (offer === undefined) return
    const run = runOf(job)
    const begun = begunBy(job, run)
    const isClosed = run !== undefined && job.isModelClosed
    const outcome =
      judgeLoss(job, run, loss, begun, this.#limits) ?? (isClosed ? { kind: 'model-disabled' } : undefined)
    if (outcome !== undefined) return this.#endWith(job, offer, outcome, kind, now)
    // A device that continues a reply, and only lost its link, still has all of it in memory when it is back.
    if (begun === undefined || loss.kind !== 'lost') avoid(job, offer.device)
    if (run !== undefined) this.#noteLoss(job, run, now)
    this.#waitAgain(job, offer, kind, now)
  }

  // A stream that broke off gets its full waiting time again. While the client has nothing, the wait since its request goes on; if it ran out
  // while a device was answering, a device that is free right now still gets its chance.
  #noteLoss(job: Job, run: Running, now: Ms): void {
    const { waitMs, acceptMs } = this.#limits
    job.begun = begunBy(job, run)
    if (run.isLoading) return
    job.lost = run
    job.waitUntil = Math.max(job.waitUntil, now + (hasDelivered(run) && !job.ticket.rerunnable ? waitMs : acceptMs))
  }

  #waitAgain(job: Job, lost: Offer, kind: Settlement['kind'], now: Ms): void {
    const run = runOf(job)
    const rest = currentOffers(job).filter((offer) => offer !== lost)
    if (rest.length > 0) {
      // The other device that the job was offered to may still accept it.
      job.state = { name: 'offered', offers: rest }
      this.#settle(job, lost, kind)
      return this.#expectAnswer(job, now)
    }
    job.state = WAITING
    if (job.isModelClosed) this.#finish(job, { kind: 'model-disabled' }, now)
    job.isSeeking = false
    this.#settle(job, lost, kind, run, undefined, job.isModelClosed ? undefined : slotRequestOf(job, 'slot', now))
    this.#expectDecision(job, now)
  }

  /** The job ends because of this attempt, of which the device is done or was told to stop. */
  #endWith(job: Job, offer: Offer, outcome: Outcome, kind: Settlement['kind'], now: Ms): void {
    const run = runOf(job)
    for (const other of currentOffers(job)) if (other !== offer) this.#drop(job, other, 'superseded')
    const record = this.#finish(job, outcome, now, run)
    this.#settle(job, offer, kind, run, totalTokens(record.tokens))
  }

  // Time.

  get nextDeadline(): Ms | undefined {
    return this.#deadlines.first()?.rank
  }

  tick(): void {
    const now = this.#now()
    const due: Job[] = []
    for (let job = this.#deadlines.first(); job !== undefined && job.rank <= now; job = this.#deadlines.first()) {
      this.#deadlines.remove(job)
      due.push(job)
    }
    this.#noteLate(due, now)
    for (const job of due) if (job.position < 0) this.#timeIsUp(job, now)
    const next = this.nextDeadline
    if (next !== undefined) this.#timer.wakeBy(next)
  }

  /** The scheduler hears of all late devices before anything is decided. */
  #noteLate(jobs: readonly Job[], now: Ms): void {
    const late = new Map<string, LeaseOf[]>()
    for (const job of jobs)
      for (const offer of currentOffers(job)) {
        if (job.state.name !== 'offered' || offer.isLate || now < offer.lateAt || now >= offer.answerBy) continue
        offer.isLate = true
        avoid(job, offer.device)
        const { organization } = job.ticket
        late.set(organization, [...(late.get(organization) ?? []), { device: offer.device, lease: offer.lease }])
      }
    for (const [organization, leases] of late)
      this.#gateways.schedulerOf(organization)?.late(organization, leases, this.#gateways.self)
  }

  #timeIsUp(job: Job, now: Ms): void {
    const { state } = job
    if (state.name === 'running') return this.#silent(job, state, now)
    if (state.name === 'waiting')
      return void this.#finish(job, { kind: job.answer.hasShown ? 'device-lost' : 'no-device' }, now)
    if (state.name === 'over') return
    for (const offer of state.offers) if (now >= offer.answerBy) this.#unanswered(job, offer, now)
    this.#expectAnswer(job, now)
  }

  #unanswered(job: Job, offer: Offer, now: Ms): void {
    if (findOffer(job, offer.attempt) === undefined) return
    this.#cancel(offer, 'timed-out')
    if (now < Math.min(job.waitUntil, job.totalUntil))
      return this.#lose(job, offer.attempt, { kind: 'unanswered' }, now, 'silent')
    for (const other of currentOffers(job)) if (other !== offer) this.#drop(job, other, 'timed-out')
    // Its scheduler declines it, and knows when it is worth to come back.
    job.state = { name: 'offered', offers: [offer] }
    this.#waitAgain(job, offer, 'silent', now)
  }

  #silent(job: Job, run: Running, now: Ms): void {
    const isTotal = now >= job.totalUntil
    // Most deadlines turn out to be too early: events only note their time.
    if (!isTotal && now < this.#silentUntil(job, run)) return this.moved(job, run)
    this.#cancel(run.offer, 'timed-out')
    if (run.isLoading && now >= job.waitUntil) return this.#waitAgain(job, run.offer, 'stopping', now)
    if (isTotal) return this.#endWith(job, run.offer, { kind: 'timed-out', limit: 'total' }, 'stopping', now)
    this.#lose(job, run.number, { kind: 'silent', limit: hasDelivered(run) ? 'gap' : 'first-event' }, now, 'stopping')
  }

  /** Counted from the last sign of life. Loading is waiting, so it also ends with the job's waiting time. */
  #silentUntil(job: Job, run: Running): Ms {
    const { gapMs, firstEventMs } = this.#limits
    if (run.isLoading) return Math.min(job.waitUntil, run.lastSignAt + firstEventMs)
    return run.lastSignAt + (hasDelivered(run) ? gapMs : firstEventMs)
  }

  #watch(job: Job, by: Ms): void {
    this.#deadlines.put(job, by)
    this.#timer.wakeBy(by)
  }

  // Ends.

  #abandon(job: Job, outcome: Outcome, reason: CancelReason): void {
    if (job.state === OVER) return
    const now = this.#now()
    const offers = currentOffers(job)
    const run = runOf(job)
    for (const offer of offers) this.#cancel(offer, reason)
    const record = this.#finish(job, outcome, now)
    for (const offer of offers) this.#settle(job, offer, 'stopping', run, run && totalTokens(record.tokens))
  }

  #finish(job: Job, outcome: Outcome, now: Ms, last?: Running, counted?: TokenCount): JobRecord {
    const record = recordOf(job, outcome, now, last, counted)
    const { job: id } = job.ticket
    const isRequesting = job.state.name === 'waiting' || job.isSeeking
    this.#jobs.delete(id)
    this.#deadlines.remove(job)
    job.state = OVER
    job.request.text = ''
    const { onRecord, whenRecorded } = this.#options
    onRecord(record)
    if (whenRecorded) whenRecorded(() => deliverEnd(job, record))
    else deliverEnd(job, record)
    if (isRequesting) this.#withdraw(job.ticket)
    return record
  }

  /** The front is done with the lease. With `tokens`, the job is over; with `again`, it wants another slot. */
  #settle(job: Job, offer: Offer, kind: Settlement['kind'], run?: Running, tokens?: number, again?: SlotRequest): void {
    const { organization, key, model } = job.ticket
    this.#options.watch?.settled(offer, kind, run)
    const measured = run && measure(run, tokens !== undefined, this.#now())
    const settlement = { key, model, tokens: tokens ?? 0, kind, measured }
    this.#schedulerOf(job)?.settle(organization, offer, settlement, again, this.#gateways.self)
  }

  /** Stops a device that another one beat, or that nobody waits for. */
  #drop(job: Job, offer: Offer, reason: CancelReason): void {
    this.#cancel(offer, reason)
    this.#settle(job, offer, 'stopping')
  }

  #setPaused(job: Job, isPaused: boolean): void {
    job.isPaused = isPaused
    const run = runOf(job)
    if (run === undefined) return
    this.#order(run.offer, { type: isPaused ? 'job-pause' : 'job-resume', job: run.offer.job, attempt: run.number })
  }

  #cancel(offer: Offer, reason: CancelReason): void {
    this.#order(offer, { type: 'job-cancel', job: offer.job, attempt: offer.attempt, reason })
  }

  #order({ device, epoch, hub }: Offer, order: JobOrder): void {
    this.#gateways.of(hub).hub.order(device, epoch, order)
  }

  #now(): Ms {
    return this.#options.clock.now()
  }
}

function slotRequestOf(job: Job, want: SlotRequest['want'], now: Ms, isFirst = false): SlotRequest {
  const { ticket, answer, submittedAt, waitUntil, totalUntil } = job
  return {
    ticket,
    want,
    isFirst,
    ageMs: now - submittedAt,
    waitMs: Math.min(waitUntil, totalUntil) - now,
    begun: want === 'move' ? begunBy(job, runOf(job)) : job.begun,
    mustContinue: answer.hasShown && !ticket.rerunnable,
    avoided: namesOf(job.avoided),
    excluded: namesOf(job.excluded),
  }
}

/** A lease may come after the job has found another way, or based on what its scheduler knew before. */
function isWanted(job: Job, { want, isContinued }: Lease): boolean {
  const run = runOf(job)
  if (run === undefined)
    return want === 'second' ? job.isSeeking : job.state === WAITING && want === 'slot' && canStart(job, isContinued)
  const hasBegun = begunBy(job, run) !== undefined
  return want === 'move' && job.movesFrom === run.number && isContinued === hasBegun && (hasBegun || !hasDelivered(run))
}

/** The next device starts where the last one was lost, or from nothing. */
function prepare(job: Job, { isContinued }: Lease): void {
  if (isContinued) job.begunTokens += job.lost?.deliveredTokens ?? 0
  else restartJob(job)
  job.lost = undefined
}

function nextDeadline({ isLate, lateAt, answerBy }: Offer): Ms {
  return isLate ? answerBy : Math.min(lateAt, answerBy)
}

function outOfTime({ totalUntil, begun }: Job, outcome: Declined, now: Ms): Outcome {
  if (now >= totalUntil) return { kind: 'timed-out', limit: 'total' }
  return begun === undefined ? outcome : { kind: 'device-lost' }
}

function measure(run: Running, isEnd: boolean, now: Ms): Settlement['measured'] {
  const { firstEventAt, acceptedAt, hasLoaded, offer, deliveredTokens } = run
  if (firstEventAt === undefined) return undefined
  return {
    readMs: firstEventAt - (hasLoaded ? acceptedAt : offer.offeredAt),
    answerMs: now - firstEventAt,
    tokens: isEnd ? deliveredTokens : undefined,
  }
}

function namesOf(devices: ReadonlySet<string> | undefined): readonly string[] | undefined {
  return devices && [...devices].slice(-MOST_NAMED)
}
