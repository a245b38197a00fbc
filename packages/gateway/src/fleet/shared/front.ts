// The requests that came in at this gateway. A front sends the request to the home of the device that the owner chose, delivers what comes
// back, and reports to the owner what the scheduler has to know. It alone ends replies: what its client has, it knows best.

import type { CancelReason, JobAttempt } from '@hearth/protocol'
import type { JobFrame } from '../../hub/link.ts'
import type { Outcome, Reporter, Ticket, TokenCount } from '../../scheduler/core/types.ts'
import type { JobRecord } from '../../scheduler/job-record.ts'
import type { JobHandle, Reply, SerializedJob } from '../../scheduler/reply.ts'
import { finish, startAttempt } from '../../scheduler/run.ts'
import { listWaiting, type WaitingJob } from '../../scheduler/waiting-jobs.ts'
import * as runs from './front-run.ts'
import type { Attempt, FrontRun, RunningAttempt } from './front-run.ts'
import type { JobStatement } from './job-statement.ts'
import { isCurrent, judgeFrame, lose, type Judge } from './judge-frame.ts'
import { isLastFrame } from './last-frame.ts'
import type { JobOrder, Message, Report, RoleMessage } from './messages.ts'

export interface FrontOptions {
  waitMs: number
  now: () => number
  /** A direct call if the receiver is this gateway. */
  send: (to: string, message: Message) => void
  isReachable: (replica: string) => boolean
  schedulerOf: (organization: string) => string | undefined
  onRecord: (record: JobRecord) => void
}

/** An owner that can't be reached doesn't decide. This long after it should have, the front does. */
const DECISION_GRACE_MS = 10_000

export class Front implements Judge {
  now = 0
  readonly #options: FrontOptions
  readonly #runs = new Map<string, FrontRun>()
  /** Attempts that a device has or may have, also of jobs that are over. */
  readonly #attempts = new Map<string, Attempt & { isStopped: boolean }>()
  #isShutDown = false

  constructor(options: FrontOptions) {
    this.#options = options
  }

  get runCount(): number {
    return this.#runs.size
  }

  submit(ticket: Ticket, job: SerializedJob, reply: Reply): JobHandle {
    const now = this.#options.now()
    const front = runs.newFrontRun(ticket, job, reply, now)
    front.decidedBy = now + this.#options.waitMs + DECISION_GRACE_MS
    this.#runs.set(ticket.job, front)
    if (this.#isShutDown) this.#finish(front, { kind: 'shutdown' })
    else this.#submit(front)
    return {
      cancel: (reason) => this.#abandon(front, { kind: 'cancelled' }, reason),
      giveUp: (full) => this.#abandon(front, { kind: 'out-of-memory', full }, 'superseded'),
      pause: () => this.#setPaused(front, true),
      resume: () => this.#setPaused(front, false),
    }
  }

  #submit({ run: { ticket }, requestBytes }: FrontRun): void {
    const { organization } = ticket
    this.#tellOwner(organization, { type: 'submit', organization, ticket, requestBytes })
  }

  keyRevoked(key: string): void {
    for (const front of this.#runs.values())
      if (front.run.ticket.key === key) this.#abandon(front, { kind: 'key-revoked' }, 'revoked')
  }

  /** Ends all jobs; those submitted later end at once. */
  shutdown(): void {
    this.#isShutDown = true
    for (const front of this.#runs.values()) this.#abandon(front, { kind: 'shutdown' }, 'shutdown')
  }

  waiting(key: string): (WaitingJob & { ageMs: number })[] {
    const now = this.#options.now()
    const waiting = listWaiting(
      this.#runs.values().map(({ run }) => run),
      key,
      (job) => this.#workingOn(job)?.of.device,
      // Only the owner knows the line.
      () => undefined,
    )
    return waiting.map((job) => ({ ...job, ageMs: now - this.#runs.get(job.job)!.run.submittedAt }))
  }

  /** Everything that waits or runs in these organizations. Grants that are on their way become void. */
  state(isWanted: (organization: string) => boolean): Map<string, JobStatement[]> {
    const now = this.#options.now()
    const wanted = this.#runs.values().filter(({ run }) => isWanted(run.ticket.organization))
    const byOrganization = Map.groupBy(wanted, ({ run }) => run.ticket.organization)
    return new Map([...byOrganization].map(([name, fronts]) => [name, fronts.map((one) => this.#stateJob(one, now))]))
  }

  #stateJob(front: FrontRun, now: number): JobStatement {
    this.#keepOneOffer(front)
    return runs.stateJob(front, now)
  }

  /** A new owner hears of one attempt per job. */
  #keepOneOffer(front: FrontRun): void {
    const isHeld = front.running?.isOver === false
    for (const { of } of front.offers.slice(isHeld ? 0 : 1)) this.stop(of, 'superseded')
  }

  // What the owner decides.

  grant({ organization, to, home, outlook, edition }: Extract<RoleMessage, { type: 'grant' }>): void {
    const attempt = { of: to, organization, home, file: outlook.file, isStopped: false }
    const front = this.#runs.get(to.job)
    if (front === undefined) return this.report(attempt, { kind: 'unknown' })
    if (this.isVoid(front, edition)) return
    const isTaken = outlook.isSecond && front.running !== undefined
    if (isTaken || !this.#options.isReachable(home)) return this.report(attempt, { kind: 'refused', reason: 'busy' })
    front.attempt = Math.max(front.attempt, to.attempt)
    if (!outlook.isSecond) loseAll(front)
    if (!runs.canStart(front, outlook.isBegun)) return this.#restate(front)
    // A second offer of the same job needs the same record as the first.
    if (!outlook.isBegun && !outlook.isSecond) runs.startAgain(front)
    this.#start(front, attempt)
  }

  /** The owner decided before it heard how the job was stated last, and decides again. */
  protected isVoid(front: FrontRun, edition: number): boolean {
    return front.edition !== edition
  }

  #start(front: FrontRun, attempt: Attempt & { isStopped: boolean }): void {
    const { run } = front
    front.offers.push(attempt)
    this.#attempts.set(keyOf(attempt.of), attempt)
    const request = startAttempt(run, attempt.file !== undefined)
    this.#options.send(attempt.home, { type: 'start', of: attempt.of, model: run.ticket.model, request })
  }

  #restate(front: FrontRun): void {
    const { organization } = front.run.ticket
    this.#tellOwner(organization, { type: 'restate', organization, job: this.#stateJob(front, this.#options.now()) })
  }

  restate(job: string): void {
    const front = this.#runs.get(job)
    if (front !== undefined) this.#restate(front)
  }

  stop(of: Reporter, reason: CancelReason): void {
    const attempt = this.#attempts.get(keyOf(of))
    const front = this.#runs.get(of.job)
    if (front?.running?.of.attempt === of.attempt) front.running.isOver = true
    if (front) front.offers = front.offers.filter((offer) => offer.of.attempt !== of.attempt)
    if (attempt === undefined || attempt.isStopped) return
    attempt.isStopped = true
    this.#tell(attempt, { type: 'job-cancel', job: of.job, attempt: of.attempt, reason })
  }

  finish(job: string, outcome: Outcome): void {
    const front = this.#runs.get(job)
    if (front !== undefined) this.#finish(front, outcome)
  }

  // What devices say, by way of their homes.

  frame(frame: JobFrame): void {
    const front = this.#runs.get(frame.job)
    this.now = this.#options.now()
    if (isLastFrame(frame)) return this.#lastFrame(front, frame)
    if (front !== undefined) judgeFrame(front, frame, this)
  }

  #lastFrame(front: FrontRun | undefined, frame: JobFrame): void {
    const attempt = this.#attempts.get(keyOf(frame))
    this.#attempts.delete(keyOf(frame))
    if (front !== undefined && isCurrent(front, frame.attempt)) judgeFrame(front, frame, this)
    else if (attempt !== undefined) this.report(attempt, { kind: 'over' })
  }

  /** The device's link is gone. */
  attemptLost(lost: JobAttempt): void {
    this.now = this.#options.now()
    const attempt = this.#attempts.get(keyOf(lost))
    if (attempt !== undefined) this.#lose(attempt, { kind: 'over' })
  }

  /** Its devices may go on for a moment, until the home notices too and stops them. */
  homeLost(home: string): void {
    this.now = this.#options.now()
    for (const attempt of this.#attempts.values()) if (attempt.home === home) this.#lose(attempt, { kind: 'faulted' })
  }

  #lose(attempt: Attempt, report: Report): void {
    const front = this.#runs.get(attempt.of.job)
    this.#attempts.delete(keyOf(attempt.of))
    if (front === undefined || !isCurrent(front, attempt.of.attempt)) return this.report(attempt, report)
    front.decidedBy = this.now + this.#options.waitMs + DECISION_GRACE_MS
    lose(front, attempt.of.attempt, this, report)
  }

  // The judge of frames.

  report({ of, organization }: Attempt, report: Report): void {
    this.#tellOwner(organization, { type: 'report', organization, from: of, report })
  }

  accepted(front: FrontRun, running: RunningAttempt): void {
    // The other device must not go on from the start if this one fails later.
    for (const { of } of front.offers) this.stop(of, 'superseded')
    // The device that continues the reply of a slow client doesn't know that it is slow.
    if (front.run.isPaused) this.#tell(running, { type: 'job-pause', job: running.of.job, attempt: running.of.attempt })
  }

  ended(front: FrontRun, running: RunningAttempt, tokens: TokenCount | undefined): void {
    const delivered = runs.deliveredBy(front, running)
    this.#finish(front, { kind: 'ended' }, tokens)
    this.report(running, { kind: 'ended', delivered, tokens })
  }

  // Ends.

  /** Ends jobs that no owner decided about in time. */
  sweep(): void {
    const now = this.#options.now()
    for (const front of this.#runs.values()) {
      if (now < front.decidedBy || front.offers.length > 0 || front.running?.isOver === false) continue
      this.#abandon(front, { kind: front.hasShown ? 'device-lost' : 'no-device' }, 'timed-out')
    }
  }

  #abandon(front: FrontRun, outcome: Outcome, reason: CancelReason): void {
    const { job, organization } = front.run.ticket
    if (this.#runs.get(job) !== front) return
    const { running } = front
    for (const { of } of [...front.offers, ...(running ? [running] : [])]) this.stop(of, reason)
    this.#finish(front, outcome)
    this.#tellOwner(organization, { type: 'cancel', organization, job, reason })
  }

  #finish(front: FrontRun, outcome: Outcome, counted?: TokenCount): void {
    const { run } = front
    this.#runs.delete(run.ticket.job)
    finish(run, runs.recordOf(front, outcome, this.#options.now(), counted), this.#options.onRecord)
  }

  #setPaused(front: FrontRun, isPaused: boolean): void {
    front.run.isPaused = isPaused
    const { job } = front.run.ticket
    const running = this.#workingOn(job)
    if (running) this.#tell(running, { type: isPaused ? 'job-pause' : 'job-resume', job, attempt: running.of.attempt })
  }

  #workingOn(job: string): RunningAttempt | undefined {
    const running = this.#runs.get(job)?.running
    return running?.isOver === false ? running : undefined
  }

  #tell({ of, home }: Attempt, frame: JobOrder): void {
    this.#options.send(home, { type: 'tell', of, frame })
  }

  #tellOwner(organization: string, message: RoleMessage): void {
    const owner = this.#options.schedulerOf(organization)
    if (owner !== undefined) this.#options.send(owner, message)
  }
}

/** The owner no longer counts on any attempt so far. */
function loseAll(front: FrontRun): void {
  front.offers = []
  runs.loseRunning(front)
}

function keyOf({ job, attempt }: JobAttempt): string {
  return `${job} ${attempt}`
}
