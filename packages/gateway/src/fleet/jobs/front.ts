// The requests that came in at this gateway. A front sends the request to the home of the device that the scheduler chose, delivers what
// comes back, and reports what the scheduler has to know. Only the front ends replies, because it knows best what its client has.
//
// A job    submit ──▶ waiting ──grant──▶ offered ──accept──▶ running ──end──▶ over
//                       ▲                  │  │                 │
//                       └── nobody wants it┘  └─────── lost ◀───┘
//                                                       └──grant──▶ offered
//
// Any state leads to its end when the client leaves, the key is revoked, the scheduler gives the job up, or the gateway shuts down.

import type { CancelReason, JobAttempt } from '@hearth/protocol'
import { PassingMap, type Outcome, type JobHandle, type SerializedJob } from '@hearth/chat'
import { type JobFrame, isLastFrame } from '../terms/job-frame.ts'
import type { Grant, JobOrder, JobStatement, Message, Report, RoleMessage } from '../terms/messages.ts'
import type { Delivered, Reporter, Ticket, TokenCount } from '../terms/job.ts'
import { canStart, finish, startAttempt, startOver } from './deliver.ts'
import {
  currentAttempts,
  lose,
  lostTokens,
  newFrontJob,
  WAITING,
  type Attempt,
  type FrontJob,
  type Running,
} from './front-job.ts'
import { recordOf, type JobRecord, type LastAttempt } from './job-record.ts'
import { giveUp, judgeFrame, type Judge } from './judge-frame.ts'
import type { Recipient } from './sealed-reply.ts'
import { stateJob } from './state-job.ts'
import { StoppingAttempts } from './stopping-attempts.ts'
import { listWaiting } from './waiting-jobs.ts'
import type { FrontWaitingJob } from '../terms/waiting-job.ts'

export interface FrontOptions {
  /** How long a job waits for a device. */
  waitMs: number
  /** How often the scheduler hears that a device still works on a job. */
  signMs: number
  now: () => number
  /** A direct call if the receiver is this gateway. */
  send: (to: string, message: Message) => void
  isReachable: (gateway: string) => boolean
  schedulerOf: (organization: string) => string | undefined
  onRecord: (record: JobRecord) => void
}

/** A scheduler that can't be reached doesn't decide. This long after it should have, the front does. */
const DECISION_GRACE_MS = 10_000

export class Front implements Judge {
  readonly signMs: number
  readonly #options: FrontOptions
  readonly #jobs = new PassingMap<FrontJob>()
  readonly #stopping = new StoppingAttempts()
  #isShutDown = false

  constructor(options: FrontOptions) {
    this.#options = options
    this.signMs = options.signMs
  }

  get jobCount(): number {
    return this.#jobs.size
  }

  submit(ticket: Ticket, request: SerializedJob, recipient: Recipient): JobHandle {
    const job = newFrontJob(ticket, request, recipient, this.#options.now())
    this.#expectDecision(job, job.submittedAt)
    this.#jobs.set(ticket.job, job)
    if (this.#isShutDown) this.#finish(job, { kind: 'shutdown' }, job.submittedAt)
    else this.#submit(job)
    return {
      cancel: (reason) => this.#abandon(job, { kind: 'cancelled' }, reason),
      giveUp: (full) => this.#abandon(job, { kind: 'out-of-memory', full }, 'superseded'),
      pause: () => this.#setPaused(job, true),
      resume: () => this.#setPaused(job, false),
    }
  }

  #submit({ ticket, request }: FrontJob): void {
    const { organization } = ticket
    this.#tellScheduler(organization, { type: 'submit', organization, ticket, requestBytes: request.bytes })
  }

  keyRevoked(key: string): void {
    for (const job of this.#jobs.values())
      if (job.ticket.key === key) this.#abandon(job, { kind: 'key-revoked' }, 'revoked')
  }

  /** Ends all jobs; those submitted later end at once. */
  shutdown(): void {
    this.#isShutDown = true
    for (const job of this.#jobs.values()) this.#abandon(job, { kind: 'shutdown' }, 'shutdown')
  }

  /** The jobs of a key that have produced nothing yet. */
  waiting(key: string): FrontWaitingJob[] {
    return listWaiting(this.#jobs.values(), key, this.#options.now())
  }

  /** Everything that waits or runs in these organizations. Grants that are on their way become void. */
  state(isWanted: (organization: string) => boolean): Map<string, JobStatement[]> {
    const wanted = [...this.#jobs.values()].filter(({ ticket }) => isWanted(ticket.organization))
    const byOrganization = Map.groupBy(wanted, ({ ticket }) => ticket.organization)
    return new Map([...byOrganization].map(([name, jobs]) => [name, jobs.map((job) => this.#stateJob(job))]))
  }

  /** A new scheduler hears of one attempt per job. */
  #stateJob(job: FrontJob): JobStatement {
    for (const { of } of currentAttempts(job).slice(1)) this.stop(of, 'superseded')
    return stateJob(job, this.#options.now())
  }

  // Decisions of the scheduler.

  grant(grant: Grant): void {
    const { to, organization, home, file, isSecond, course } = grant
    const attempt: Attempt = { of: to, organization, home, file }
    const job = this.#jobs.get(to.job)
    if (job === undefined) return this.report(attempt, { kind: 'unknown' })
    if (this.isVoid(job, grant)) return
    const isTaken = isSecond && (job.state.name === 'running' || job.state.name === 'lost')
    if (isTaken || !this.#options.isReachable(home)) return this.report(attempt, { kind: 'refused', reason: 'busy' })
    const { granted } = job
    const number = Math.max(granted.attempt, to.attempt)
    // A scheduler that took the job over doesn't know what was expected at its submission.
    const expectedMs = grant.expectedMs ?? granted.expectedMs
    const begunTokens = granted.course.begunTokens + lostTokens(job)
    const isReady = isSecond || this.#prepare(job, course.begun !== undefined)
    // Until the next attempt starts, the course doesn't include how the last one ended: that is stated beside it.
    job.granted = { attempt: number, course: granted.course, expectedMs }
    if (!isReady) return this.#restate(job)
    // The scheduler hears of tokens now and then; the front counts every one.
    if (!isSecond) job.granted.course = course.begun === undefined ? course : { ...course, begunTokens }
    this.#start(job, attempt)
  }

  /** The scheduler decided before it heard how the job was stated last, and decides again. */
  isVoid(job: FrontJob, { edition }: Grant): boolean {
    return job.edition !== edition
  }

  /** The scheduler no longer counts on any attempt so far. Returns false if the job can't start as it thinks. */
  #prepare(job: FrontJob, isContinued: boolean): boolean {
    for (const attempt of currentAttempts(job)) this.#cancel(attempt, 'superseded')
    if (!canStart(job, isContinued)) return false
    job.state = WAITING
    if (!isContinued) startOver(job)
    return true
  }

  #start(job: FrontJob, attempt: Attempt): void {
    const { state, ticket } = job
    job.state = { name: 'offered', offers: state.name === 'offered' ? [...state.offers, attempt] : [attempt] }
    const request = startAttempt(job, attempt.file !== undefined)
    this.#options.send(attempt.home, { type: 'start', of: attempt.of, model: ticket.model, request })
  }

  #restate(job: FrontJob): void {
    const { organization } = job.ticket
    this.#tellScheduler(organization, { type: 'restate', organization, job: this.#stateJob(job) })
  }

  restate(id: string): void {
    const job = this.#jobs.get(id)
    if (job !== undefined) this.#restate(job)
  }

  stop(of: Reporter, reason: CancelReason): void {
    const job = this.#jobs.get(of.job)
    const attempt = job && lose(job, of.attempt)
    if (attempt !== undefined) this.#cancel(attempt, reason)
  }

  finish({ job: id, outcome, attempt }: Extract<RoleMessage, { type: 'finish' }>): void {
    const job = this.#jobs.get(id)
    if (job !== undefined) this.#finish(job, outcome, this.#options.now(), { attempt })
  }

  // Frames from devices, by way of their homes.

  frame(frame: JobFrame): void {
    if (isLastFrame(frame) && this.#isStopped(frame)) return
    const job = this.#jobs.get(frame.job)
    if (job !== undefined) judgeFrame(job, frame, this, this.#options.now())
  }

  /** The device is done with an attempt that was canceled. */
  #isStopped(frame: JobAttempt): boolean {
    const attempt = this.#stopping.take(frame)
    if (attempt !== undefined) this.report(attempt, { kind: 'over' })
    return attempt !== undefined
  }

  /** The device's link is gone. */
  attemptLost(lost: JobAttempt): void {
    if (this.#isStopped(lost)) return
    const job = this.#jobs.get(lost.job)
    if (job !== undefined) this.#lose(job, lost.attempt, { kind: 'over' })
  }

  /** Devices of that home may continue for a moment, until it notices too and stops them. */
  homeLost(home: string): void {
    for (const job of this.#jobs.values())
      for (const { of } of currentAttempts(job).filter((attempt) => attempt.home === home))
        this.#lose(job, of.attempt, { kind: 'faulted' })
    for (const attempt of this.#stopping.takeAllOf(home)) this.report(attempt, { kind: 'faulted' })
  }

  #lose(job: FrontJob, attempt: number, report: Report): void {
    this.#expectDecision(job, this.#options.now())
    giveUp(job, attempt, this, report)
  }

  // The judge of frames.

  report({ of, organization }: Attempt, report: Report, run?: Running): void {
    const delivered = run && this.#deliveredBy(run)
    this.#tellScheduler(organization, { type: 'report', organization, from: of, report, delivered })
  }

  #deliveredBy({ attempt, nextSequence, deliveredTokens }: Running): Delivered | undefined {
    if (nextSequence === 0) return undefined
    const isShown = this.#jobs.get(attempt.of.job)?.answer.hasShown ?? true
    return { nextSequence, tokens: deliveredTokens, isShown }
  }

  accepted(job: FrontJob, { attempt }: Running, others: readonly Attempt[]): void {
    // The other device must not run the job from the start if this one fails later.
    for (const other of others) this.#cancel(other, 'superseded')
    // The device that continues the reply of a slow client doesn't know that it is slow.
    if (job.isPaused) this.#tell(attempt, { type: 'job-pause', job: attempt.of.job, attempt: attempt.of.attempt })
  }

  faulted(attempt: Attempt): void {
    this.#cancel(attempt, 'superseded')
  }

  ended(job: FrontJob, run: Running, tokens: TokenCount | undefined, now: number): void {
    this.#finish(job, { kind: 'ended' }, now, { tokens })
    this.report(run.attempt, { kind: 'ended', tokens }, run)
  }

  // Ends.

  /** Ends jobs that no scheduler decided about in time. */
  sweep(): void {
    const now = this.#options.now()
    for (const job of this.#jobs.values())
      if (now >= job.decidedBy && currentAttempts(job).length === 0)
        this.#abandon(job, { kind: job.answer.hasShown ? 'device-lost' : 'no-device' }, 'timed-out')
  }

  #expectDecision(job: FrontJob, now: number): void {
    job.decidedBy = now + this.#options.waitMs + DECISION_GRACE_MS
  }

  #abandon(job: FrontJob, outcome: Outcome, reason: CancelReason): void {
    const { job: id, organization } = job.ticket
    if (this.#jobs.get(id) !== job) return
    const { state } = job
    if (state.name === 'running' && state.nextSequence > 0) this.report(state.attempt, { kind: 'delivered' }, state)
    for (const attempt of currentAttempts(job)) this.#cancel(attempt, reason)
    this.#finish(job, outcome, this.#options.now())
    this.#tellScheduler(organization, { type: 'cancel', organization, job: id, reason })
  }

  #finish(job: FrontJob, outcome: Outcome, now: number, last: LastAttempt = {}): void {
    this.#jobs.delete(job.ticket.job)
    finish(job, recordOf(job, outcome, now, last), this.#options.onRecord)
  }

  #setPaused(job: FrontJob, isPaused: boolean): void {
    job.isPaused = isPaused
    const { state } = job
    if (state.name !== 'running' || this.#jobs.get(job.ticket.job) !== job) return
    const { job: id, attempt } = state.attempt.of
    this.#tell(state.attempt, { type: isPaused ? 'job-pause' : 'job-resume', job: id, attempt })
  }

  #cancel(attempt: Attempt, reason: CancelReason): void {
    const { job, attempt: number } = attempt.of
    this.#stopping.add(attempt)
    this.#tell(attempt, { type: 'job-cancel', job, attempt: number, reason })
  }

  #tell({ of, home }: Attempt, frame: JobOrder): void {
    this.#options.send(home, { type: 'tell', of, frame })
  }

  #tellScheduler(organization: string, message: RoleMessage): void {
    const scheduler = this.#options.schedulerOf(organization)
    if (scheduler !== undefined) this.#options.send(scheduler, message)
  }
}
