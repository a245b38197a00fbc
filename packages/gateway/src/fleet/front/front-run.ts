// A job at its front: the run, the attempts that devices hold, and what was delivered. The owner decides by what the front reports, so this
// knows everything that an owner needs to go on with the job.

import type { ModelFile } from '../scheduler/core/state.ts'
import { estimateTokens, NO_TOKENS } from '../scheduler/core/token-count.ts'
import type { Delivered, Outcome, Reporter, Ticket, TokenCount } from '../scheduler/core/types.ts'
import type { JobRecord } from './job-record.ts'
import type { Reply, SerializedJob } from './reply.ts'
import { newRun, startOver, timesOf, type Run } from './run.ts'
import type { HeldStatement, JobStatement } from '../scheduler/job-statement.ts'

export interface FrontRun {
  readonly run: Run
  readonly requestBytes: number
  /** How often it was stated. */
  edition: number
  /** When a device accepted it for the first time. */
  startedAt: number | undefined
  /** Number of the latest grant. */
  attempt: number
  losses: number
  begun: ModelFile | undefined
  begunTokens: number
  hasShown: boolean
  isRecordable: boolean
  /** Not answered yet: one, or two when the first took long. */
  offers: Attempt[]
  running: RunningAttempt | undefined
  /** The owner should have decided by then. */
  decidedBy: number
}

export interface Attempt {
  readonly of: Reporter
  readonly organization: string
  readonly home: string
  readonly file: ModelFile | undefined
}

/** Events change it in place, so that a token costs no allocation. */
export interface RunningAttempt extends Attempt {
  acceptedAt: number
  isLoading: boolean
  nextSequence: number
  promptTokens: number | undefined
  deliveredTokens: number
  /** When the owner last heard of it. */
  reportedAt: number
  /** Nothing more is taken from the device. The owner decides how the job goes on. */
  isOver: boolean
}

export function newFrontRun(ticket: Ticket, job: SerializedJob, reply: Reply, now: number): FrontRun {
  return {
    run: newRun(ticket, job, reply, now),
    requestBytes: job.text.length,
    edition: 0,
    startedAt: undefined,
    attempt: 0,
    losses: 0,
    begun: undefined,
    begunTokens: 0,
    hasShown: false,
    isRecordable: true,
    offers: [],
    running: undefined,
    decidedBy: Number.POSITIVE_INFINITY,
  }
}

export function accept(front: FrontRun, attempt: Attempt, now: number): RunningAttempt {
  front.offers = front.offers.filter((other) => other !== attempt)
  front.startedAt ??= now
  front.running = {
    ...attempt,
    acceptedAt: now,
    isLoading: false,
    nextSequence: 0,
    promptTokens: undefined,
    deliveredTokens: 0,
    reportedAt: now,
    isOver: false,
  }
  return front.running
}

/** The device works on the job: until now it has loaded the model. */
export function work(running: RunningAttempt, now: number): void {
  if (!running.isLoading) return
  running.isLoading = false
  running.acceptedAt = now
}

/** The same rules as the scheduler's: see `Jobs.loseAttempt`. */
export function loseRunning(front: FrontRun): void {
  const { running } = front
  if (running === undefined) return
  const hasDelivered = running.nextSequence > 0
  const begun = front.begun ?? (hasDelivered ? running.file : undefined)
  front.begun = front.isRecordable ? begun : undefined
  front.losses = front.begun !== undefined && hasDelivered ? 1 : front.losses + 1
  front.begunTokens += running.deliveredTokens
  front.running = undefined
}

/** Whether a device may start the job as the owner thinks it can. It may not know yet what was delivered last. */
export function canStart({ begun, hasShown, run }: FrontRun, isContinued: boolean): boolean {
  return isContinued ? begun !== undefined : !hasShown || run.ticket.rerunnable
}

/** The next device starts from nothing. */
export function startAgain(front: FrontRun): void {
  if (front.hasShown || front.begun !== undefined) startOver(front.run)
  front.run.record = undefined
  front.begun = undefined
  front.begunTokens = 0
  front.hasShown = false
}

export function deliveredBy({ hasShown }: FrontRun, { nextSequence, deliveredTokens }: RunningAttempt): Delivered {
  return { nextSequence, tokens: deliveredTokens, isShown: hasShown }
}

export function stateJob(front: FrontRun, now: number): JobStatement {
  if (front.running?.isOver === true) loseRunning(front)
  front.edition += 1
  const { run, requestBytes, attempt, losses, begun, begunTokens, hasShown, isRecordable, startedAt } = front
  return {
    ticket: run.ticket,
    edition: front.edition,
    ageMs: now - run.submittedAt,
    startedMsAgo: startedAt === undefined ? undefined : now - startedAt,
    requestBytes,
    attempt,
    losses,
    begun,
    begunTokens,
    hasShown,
    isRecordable,
    held: stateHeld(front, now),
  }
}

function stateHeld({ running, offers }: FrontRun, now: number): HeldStatement | undefined {
  const held = running ?? offers[0]
  if (held === undefined) return undefined
  const { attempt, device, epoch } = held.of
  return { attempt, device, epoch, file: held.file, run: running && stateRunning(running, now) }
}

function stateRunning(running: RunningAttempt, now: number): NonNullable<HeldStatement['run']> {
  const { acceptedAt, isLoading, nextSequence, promptTokens, deliveredTokens } = running
  return { acceptedMsAgo: now - acceptedAt, isLoading, nextSequence, promptTokens, deliveredTokens }
}

/** `counted` are the tokens as the device counted them. */
export function recordOf(front: FrontRun, outcome: Outcome, now: number, counted?: TokenCount): JobRecord {
  const { run } = front
  const running = front.running?.isLoading === false ? front.running : undefined
  return {
    ticket: run.ticket,
    outcome,
    device: running?.of.device,
    tokens: running === undefined ? begunTokens(front) : (counted ?? tokensOf(front, running)),
    waitMs: (running?.acceptedAt ?? now) - run.submittedAt,
    // Forecasts are made at the owner, and not compared here.
    expectedMs: undefined,
    ...timesOf(run, now),
  }
}

function begunTokens(front: FrontRun): TokenCount {
  return front.begun === undefined ? NO_TOKENS : tokensOf(front, undefined)
}

function tokensOf({ run, begunTokens: begun }: FrontRun, running: RunningAttempt | undefined): TokenCount {
  return {
    prompt: running?.promptTokens ?? Math.ceil(estimateTokens(run.ticket.promptSize)),
    completion: Math.ceil(begun + (running?.deliveredTokens ?? 0)),
  }
}
