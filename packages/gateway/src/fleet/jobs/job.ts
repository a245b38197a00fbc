// A job where its client is: its request, its reply, and where it is on its way. `state` says who has to move next; `jobs.ts` draws how one state
// follows another.

import type { SerializedJob } from '@hearth/chat'
import type { Ranked } from '../../time/ranked-heap.ts'
import type { Lease, ModelFile, Ms, Ticket } from '../terms/job.ts'
import { JobAnswer } from './answer.ts'
import type { Recipient } from './sealed-reply.ts'

/** Its rank is when somebody has to move. */
export class Job implements Ranked {
  rank = 0
  position = -1
  readonly ticket: Ticket
  readonly request: Request
  /** How many the request asked for. */
  readonly choices: number
  readonly recipient: Recipient
  readonly submittedAt: Ms
  readonly answer = new JobAnswer()
  state: JobState = WAITING
  /** Attempts that were accepted and then lost. */
  losses = 0
  crashes = 0
  /** The model file that drew the part of the reply that is to be continued. */
  begun: ModelFile | undefined
  /** Tokens of that part, all choices together. */
  begunTokens = 0
  /** The attempt that was lost last, until the next one starts. */
  lost: Running | undefined
  /** A device has to accept it by then, and to have the model loaded. */
  waitUntil: Ms
  /** Infinite until a device accepts for the first time. */
  totalUntil: Ms = Number.POSITIVE_INFINITY
  /** Devices that lost or failed an attempt, or answered late: others are preferred. */
  avoided: Set<string> | undefined
  /** Devices that said they can't do it: they are never asked again. */
  excluded: Set<string> | undefined
  /** Its only device is late, so a second one is wanted. */
  isSeeking = false
  /** The attempt whose device would like to be rid of it. */
  movesFrom: number | undefined
  isModelClosed = false
  /** The expected time to the first event, at submission; undefined for most jobs: only samples are compared. */
  expectedMs: Ms | undefined
  /** The client reads slowly. */
  isPaused = false

  constructor(ticket: Ticket, { text, choices }: SerializedJob, recipient: Recipient, now: Ms, waitMs: Ms) {
    this.ticket = ticket
    this.request = { text, bytes: text.length }
    this.choices = choices
    this.recipient = recipient
    this.submittedAt = now
    this.waitUntil = now + waitMs
  }
}

export interface Request {
  /** As JSON, until the job can no longer be offered to a device. It may be large, so nothing else keeps it. */
  text: string
  readonly bytes: number
}

export type JobState =
  /** For a slot. */
  | typeof WAITING
  /** For a device to accept: one, or one of two if the first took long. */
  | { readonly name: 'offered'; readonly offers: readonly Offer[] }
  /** For events. */
  | Running
  | typeof OVER

export const WAITING = { name: 'waiting' } as const
export const OVER = { name: 'over' } as const

/** One try on one device. */
export interface Offer extends Readonly<Pick<Lease, 'job' | 'lease' | 'device' | 'epoch' | 'hub' | 'file'>> {
  readonly attempt: number
  readonly offeredAt: Ms
  /** After that the device is late. */
  readonly lateAt: Ms
  /** The device has to accept or refuse by then. */
  readonly answerBy: Ms
  isLate: boolean
}

/** Events change it in place, so that a token costs no allocation. */
export class Running {
  readonly name = 'running'
  readonly offer: Offer
  /** Both are the offer's. Every token needs them, and each object on the way to them has to come from memory. */
  readonly number: number
  readonly device: string
  /** When the device accepted the job and had the model loaded. */
  acceptedAt: Ms
  /** The device loads the model first. The job still waits, and not longer than any other. */
  isLoading = false
  /** The device had to load the model first, and has done so. */
  hasLoaded = false
  firstEventAt: Ms | undefined
  /** Time of the latest accept, progress or event. */
  lastSignAt: Ms
  nextSequence = 0
  promptTokens: number | undefined
  deliveredTokens = 0

  constructor(offer: Offer, now: Ms) {
    this.offer = offer
    this.number = offer.attempt
    this.device = offer.device
    this.acceptedAt = now
    this.lastSignAt = now
  }
}

/** The offers that a device has, or is about to get. */
export function currentOffers({ state }: Job): readonly Offer[] {
  if (state.name === 'offered') return state.offers
  return state.name === 'running' ? [state.offer] : []
}

export function findOffer(job: Job, attempt: number): Offer | undefined {
  return currentOffers(job).find((offer) => offer.attempt === attempt)
}

export function runOf({ state }: Job): Running | undefined {
  return state.name === 'running' ? state : undefined
}

export function hasDelivered(run: Running | undefined): boolean {
  return run !== undefined && run.nextSequence > 0
}

/** The model file that drew the reply so far; undefined if there is nothing to continue, or no way. */
export function begunBy({ answer, begun }: Job, run: Running | undefined): ModelFile | undefined {
  if (!answer.isRecordable) return undefined
  return begun ?? (hasDelivered(run) ? run?.offer.file : undefined)
}

/** The device works on the job: until now it has loaded the model. */
export function work(run: Running, now: Ms): void {
  if (!run.isLoading) return
  run.isLoading = false
  run.hasLoaded = true
  run.acceptedAt = now
}

export function avoid(job: Job, device: string): void {
  job.avoided = (job.avoided ?? new Set()).add(device)
}
