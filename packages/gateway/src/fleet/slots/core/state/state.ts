// Everything the scheduler knows, as plain records. Only files in this folder read or change them.

import type { ModelPresence } from '@hearth/protocol'
import type { FairQueue, Waiter } from '../queue/fair-queue.ts'
import type { FeatureMask } from './feature-mask.ts'
import type { AnswerLengths } from './answer-lengths.ts'
import type { KeyHabits } from './key-habits.ts'
import type { Pace } from './pace.ts'
import type { PrefixMemory } from './prefix-memory.ts'
import type { Ranked } from '../ranked-heap.ts'
import type { Course, ModelFile, Ms, Ticket } from '../../../terms/job.ts'
import type { Forecast } from '../types.ts'

/** Everything that has a deadline. Its rank is when the deadline is due. */
export type Timed = Job | Lease | ServedModel

/** One model of one organization, with the jobs that need it and the devices that serve it. Lanes don't affect each other. */
export interface Lane {
  readonly organization: string
  readonly model: string
  readonly queue: FairQueue<Job>
  readonly memory: PrefixMemory<ServedModel>
  /** The model on each linked device that has at least one slot for it. */
  readonly served: ServedModel[]
  /** Those that could take a job now, in no particular order. */
  readonly open: ServedModel[]
  /** Where in `open` the next search starts when there are too many to compare them all. */
  turn: number
  /** Jobs whose only offer is late, the oldest first: they get the next suitable slot. */
  readonly late: Set<Job>
  readonly answers: AnswerLengths
  readonly habits: KeyHabits
  /** When a forecast was last compared with what happens. */
  sampledAt: Ms
  /** The lane changed since it was last served. */
  isTouched: boolean
}

/** A device and its current link. */
export interface Device {
  readonly id: string
  readonly epoch: number
  readonly organization: string
  isDraining: boolean
  /** The device left an offer unanswered for longer than usual, and has not answered anything since. */
  isLate: boolean
  readonly served: Map<string, ServedModel>
  /** Few at a time, and changed by every job: a list is cheaper than a set. */
  readonly leases: Lease[]
}

/** A model as one device serves it. */
export interface ServedModel extends Ranked {
  readonly kind: 'served'
  readonly device: Device
  lane: Lane
  /** 0 once the device has withdrawn the model; its leases stay until they are released, and its refusals until it accepts. */
  slots: number
  /** Whether the device has it in memory, as it said last. */
  presence: ModelPresence
  /** How long loading is expected to take. */
  loadMs: Ms
  /** When it was first asked for the model that it loads now. */
  loadingSince: Ms | undefined
  features: FeatureMask
  featureCount: number
  /** The model's file; undefined if the device doesn't know it. */
  digest: string | undefined
  contextLength: number
  /** Slots taken, including those of attempts that were given up and not confirmed yet. */
  leased: number
  /** How many of those are suspect. */
  suspect: number
  /** The device refused a job and gets no offers until its rank. */
  isBackingOff: boolean
  /** Length of the latest backoff; 0 once the device has accepted a job. */
  backoffMs: Ms
  /** Position in `lane.open`, or -1. */
  openPlace: number
  /** Number of its latest offer: smaller is longer ago. */
  lastGrant: number
  msPerCharacter: number
  readonly pace: Pace
}

export interface Job extends Ranked, Waiter {
  readonly kind: 'job'
  readonly ticket: Ticket
  readonly features: FeatureMask
  /** The only devices that can open it; undefined if it is not sealed. */
  readonly sealedFor: ReadonlySet<string> | undefined
  readonly lane: Lane
  readonly submittedAt: Ms
  state: JobState
  /** A device has to accept it by then, and to have the model loaded. */
  waitUntil: Ms
  /** Until then it waits for a device that has the model loaded; later any device may load it. */
  readonly patientUntil: Ms
  isImpatient: boolean
  /** Infinite until a device accepts for the first time. */
  totalUntil: Ms
  /** How long a device may take to answer before the job is offered to another one too. */
  readonly hedgeMs: Ms
  /** Number of the latest offer. */
  attempt: number
  course: Course
  isModelClosed: boolean
  /** The client of a stream has a part of the reply. */
  hasShown: boolean
  /** False once the reply is too long to be continued by another device. */
  isRecordable: boolean
  /** Leases of attempts that were given up and whose slot is still taken. */
  readonly givenUp: Lease[]
  /** The forecast at its submission, of the jobs that are samples. */
  forecast: Forecast | undefined
  /** Devices that lost or failed an attempt, or answered late: others are preferred. */
  avoided: Set<string> | undefined
  /** Devices that said they can't do it: they are never asked again. */
  excluded: Set<string> | undefined
}

/** `scheduler-core.ts` draws how one follows another. */
export type JobState = typeof WAITING | Offered | Running | typeof FINISHED

export const WAITING = { name: 'waiting' } as const
export const FINISHED = { name: 'finished' } as const

/** The job holds a slot, and its device has not answered yet. */
export interface Offered {
  readonly name: 'offered'
  readonly lease: Lease
  /** The same job on another device: the one that accepts first runs it. */
  readonly rival: Lease | undefined
}

/** A device works on the job. Events change this record in place, so that a token costs no allocation. */
export interface Running {
  readonly name: 'running'
  readonly lease: Lease
  /** When the device accepted the job and had the model loaded. */
  acceptedAt: Ms
  /** The device loads the model first. The job still waits, and not longer than any other. */
  isLoading: boolean
  /** The device had to load the model first, and has done so. */
  hasLoaded: boolean
  firstEventAt: Ms | undefined
  /** Time of the latest accept, progress or event. */
  lastSignAt: Ms
  nextSequence: number
  /** Length of the prompt, once the device has reported it. */
  promptTokens: number | undefined
  /** Tokens delivered so far, all choices together. May be a fraction if the device does not count. */
  deliveredTokens: number
}

export function newRun(lease: Lease, now: Ms): Running {
  return {
    name: 'running',
    lease,
    acceptedAt: now,
    isLoading: false,
    hasLoaded: false,
    firstEventAt: undefined,
    lastSignAt: now,
    nextSequence: 0,
    promptTokens: undefined,
    deliveredTokens: 0,
  }
}

/** States in which the job has a current attempt. */
export type Held = Offered | Running

export function heldState({ state }: Job): Held | undefined {
  return state.name === 'running' || state.name === 'offered' ? state : undefined
}

/** The state of the job as this lease sees it: another offer of the same job is its rival. */
export function stateOf(lease: Lease): Held | undefined {
  const held = heldState(lease.job)
  if (held === undefined || held.lease === lease) return held
  if (held.name === 'running' || held.rival !== lease) return undefined
  return { name: 'offered', lease, rival: held.lease }
}

export function hasDelivered(held: Held): boolean {
  return held.name === 'running' && held.nextSequence > 0
}

/** A slot of a device, taken for one attempt of a job. */
export interface Lease extends Ranked {
  readonly kind: 'lease'
  readonly job: Job
  readonly attempt: number
  readonly served: ServedModel
  readonly device: string
  readonly epoch: number
  /** The file whose tokens the device reports, so that another one can continue the reply; undefined if it does not. */
  readonly file: ModelFile | undefined
  /** Characters of the prompt that the device probably has to read. */
  readonly uncached: number
  readonly takenAt: Ms
  /** The device has to accept or refuse by then. */
  readonly answerBy: Ms
  /** The device has not answered in the usual time. */
  isLate: boolean
  state: LeaseState
}

export type LeaseState =
  /** Taken by a current attempt of the job. */
  | 'held'
  /** The attempt was given up. The slot stays taken until the device reports that it is free, or its link is lost. */
  | 'stopping'
  /** The device did not report in time, and may or may not still work on it. */
  | 'suspect'
  | 'released'

/** The state of the job whose attempt holds the slot; undefined once the attempt was given up. */
export function heldBy(lease: Lease): Held | undefined {
  return lease.state === 'held' ? stateOf(lease) : undefined
}
