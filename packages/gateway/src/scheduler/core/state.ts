// Everything the scheduler knows, as plain records. Only files in this folder read or change them.

import type { FairQueue, Waiter } from './fair-queue.ts'
import type { FeatureMask } from './feature-mask.ts'
import type { PrefixMemory } from './prefix-memory.ts'
import type { Ranked } from './ranked-heap.ts'
import type { Ms, Ticket } from './types.ts'

/** Everything that has a deadline; its rank is when that is due. */
export type Timed = Job | Lease | ServedModel

/** One model of one organization: the jobs that want it and the devices that serve it. Lanes never touch each other. */
export interface Lane {
  readonly organization: string
  readonly model: string
  readonly queue: FairQueue<Job>
  readonly memory: PrefixMemory<ServedModel>
  /** Only models with at least one slot, on devices that are linked. */
  readonly served: ServedModel[]
  /** Those of them that could take a job now, in no order. */
  readonly open: ServedModel[]
  /** Where in `open` the next look begins when there are too many to look at all. */
  turn: number
}

/** A device over one link. */
export interface Device {
  readonly id: string
  readonly epoch: number
  readonly organization: string
  isDraining: boolean
  readonly served: Map<string, ServedModel>
  readonly leases: Set<Lease>
}

/** A model as one device serves it. */
export interface ServedModel extends Ranked {
  readonly kind: 'served'
  readonly device: Device
  lane: Lane
  /** 0 once the device has withdrawn the model; its leases stay until they are released. */
  slots: number
  features: FeatureMask
  featureCount: number
  /** Slots held, also by attempts that were given up and are not confirmed yet. */
  leased: number
  /** Slots among them of which nobody knows whether the device still works. */
  suspect: number
  /** It refused a while ago and gets no offers; its rank is until when. */
  isBackingOff: boolean
  /** How long the latest backoff was; 0 when the device last accepted. */
  backoffMs: Ms
  /** Position among the lane's open ones, -1 when it is not. */
  openPlace: number
  /** Number of the latest grant: smaller is longer ago. */
  lastGrant: number
  msPerCharacter: number
}

export interface Job extends Ranked, Waiter {
  readonly kind: 'job'
  readonly ticket: Ticket
  readonly features: FeatureMask
  readonly lane: Lane
  readonly submittedAt: Ms
  state: JobState
  /** Until then a device has to accept it. */
  waitUntil: Ms
  /** Infinite until a device accepts for the first time. */
  totalUntil: Ms
  /** Number of the latest offer. */
  attempt: number
  /** Attempts that were accepted and then lost. */
  losses: number
  crashes: number
  isModelClosed: boolean
  /** Leases of attempts that were given up and whose slot is still taken. */
  readonly givenUp: Lease[]
  /** Devices that lost or failed an attempt: others are preferred. */
  avoided: Set<string> | undefined
  /** Devices that said they cannot do it: never offered again. */
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
}

/** A device works on the job. Events change this record in place: a token costs no allocation. */
export interface Running {
  readonly name: 'running'
  readonly lease: Lease
  readonly acceptedAt: Ms
  /** Latest accept, progress or event. */
  lastSignAt: Ms
  nextSequence: number
  /** Length of the prompt, once the device has reported it. */
  promptTokens: number | undefined
  /** Tokens of the events delivered so far, all choices together. May be a fraction where the device does not count. */
  deliveredTokens: number
}

/** States in which one attempt counts. */
export type Held = Offered | Running

export function heldState({ state }: Job): Held | undefined {
  return state.name === 'running' || state.name === 'offered' ? state : undefined
}

export function nextSequence(held: Held): number {
  return held.name === 'running' ? held.nextSequence : 0
}

export function hasDelivered(held: Held): boolean {
  return nextSequence(held) > 0
}

/** A slot of a device, taken for one attempt of a job. */
export interface Lease extends Ranked {
  readonly kind: 'lease'
  readonly job: Job
  readonly attempt: number
  readonly served: ServedModel
  readonly device: string
  readonly epoch: number
  /** Characters of the prompt that the device presumably has to read. */
  readonly uncached: number
  state: LeaseState
}

export type LeaseState =
  /** By the attempt that counts. */
  | 'held'
  /** The attempt was given up; the slot stays taken until the device says that it is free, or its link goes. */
  | 'stopping'
  /** The device did not say so in time: nobody knows whether it still works. */
  | 'suspect'
  | 'released'

/** The state of the job that holds the slot; undefined once the attempt was given up. */
export function heldBy({ state, job }: Lease): Held | undefined {
  return state === 'held' ? heldState(job) : undefined
}
