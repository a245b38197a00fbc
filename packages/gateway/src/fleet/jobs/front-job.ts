// A job at its front: its request, its reply, and where it is on its way. `state` says who has to move next; how one state follows another
// is drawn in `front.ts`.

import type { SerializedJob } from '@hearth/chat'
import { type Course, type ModelFile, type Reporter, type Ticket, NEW_COURSE } from '../terms/job.ts'
import { newAnswer, type Answer } from './answer.ts'
import type { Recipient } from './sealed-reply.ts'

export interface FrontJob {
  readonly ticket: Ticket
  readonly request: Request
  /** How many the request asked for. */
  readonly choices: number
  readonly recipient: Recipient
  readonly submittedAt: number
  readonly answer: Answer
  granted: Granted
  state: FrontState
  /** How often it was stated to a scheduler. Grants that are based on an earlier statement are void. */
  edition: number
  /** The scheduler should have decided by then. */
  decidedBy: number
  /** The client reads slowly. */
  isPaused: boolean
}

export interface Request {
  /** As JSON, until the job can no longer be offered to a device. It may be large, so nothing else keeps it. */
  text: string
  readonly bytes: number
}

/** The scheduler's latest grant, as far as the front keeps it. */
export interface Granted {
  attempt: number
  course: Course
  /** The expected time to the first event, at submission; undefined for most jobs: only samples are compared. */
  expectedMs: number | undefined
}

export type FrontState =
  /** For a grant. */
  | typeof WAITING
  /** For a device to accept: one, or one of two if the first took long. */
  | { readonly name: 'offered'; readonly offers: readonly Attempt[] }
  /** For events. */
  | Running
  /** For the scheduler's decision: nothing more is taken from the device that had it. */
  | { readonly name: 'lost'; readonly run: Running }

export const WAITING = { name: 'waiting' } as const

/** One try on one device, as granted. */
export interface Attempt {
  readonly of: Reporter
  readonly organization: string
  /** The gateway that the device is connected to. */
  readonly home: string
  /** Whose tokens the device reports; undefined if it does not. */
  readonly file: ModelFile | undefined
}

/** Events change it in place, so that a token costs no allocation. */
export interface Running {
  readonly name: 'running'
  readonly attempt: Attempt
  /** Both are the attempt's. Every token needs them, and each object on the way to them has to come from memory. */
  readonly number: number
  readonly device: string
  /** When the device accepted the job and had the model loaded. */
  acceptedAt: number
  isLoading: boolean
  nextSequence: number
  promptTokens: number | undefined
  deliveredTokens: number
  /** When the scheduler last heard of it. */
  reportedAt: number
}

export function newFrontJob(
  ticket: Ticket,
  { text, choices }: SerializedJob,
  recipient: Recipient,
  now: number,
): FrontJob {
  return {
    ticket,
    request: { text, bytes: text.length },
    choices,
    recipient,
    submittedAt: now,
    answer: newAnswer(),
    granted: { attempt: 0, course: NEW_COURSE, expectedMs: undefined },
    state: WAITING,
    edition: 0,
    decidedBy: Number.POSITIVE_INFINITY,
    isPaused: false,
  }
}

export function accept(job: FrontJob, attempt: Attempt, now: number): Running {
  const run: Running = {
    name: 'running',
    attempt,
    number: attempt.of.attempt,
    device: attempt.of.device,
    acceptedAt: now,
    isLoading: false,
    nextSequence: 0,
    promptTokens: undefined,
    deliveredTokens: 0,
    reportedAt: now,
  }
  job.answer.startedAt ??= now
  job.state = run
  return run
}

/** The attempts that a device has, or is about to get. */
export function currentAttempts({ state }: FrontJob): readonly Attempt[] {
  if (state.name === 'offered') return state.offers
  return state.name === 'running' ? [state.attempt] : []
}

/** The attempt is over. Returns it if the job still depended on it. */
export function lose(job: FrontJob, number: number): Attempt | undefined {
  const { state } = job
  const attempt = currentAttempts(job).find(({ of }) => of.attempt === number)
  if (attempt === undefined) return undefined
  if (state.name === 'running') job.state = { name: 'lost', run: state }
  if (state.name === 'offered') job.state = withoutOffer(state.offers, attempt)
  return attempt
}

function withoutOffer(offers: readonly Attempt[], attempt: Attempt): FrontState {
  const rest = offers.filter((other) => other !== attempt)
  return rest.length > 0 ? { name: 'offered', offers: rest } : WAITING
}

/** Tokens of the attempt that the next one may continue. */
export function lostTokens({ state }: FrontJob): number {
  if (state.name === 'lost') return state.run.deliveredTokens
  return state.name === 'running' ? state.deliveredTokens : 0
}

/** The device works on the job: until now it has loaded the model. */
export function work(run: Running, now: number): void {
  if (!run.isLoading) return
  run.isLoading = false
  run.acceptedAt = now
}
