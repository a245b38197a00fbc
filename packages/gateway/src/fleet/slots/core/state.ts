// Everything that a lessor knows, as plain records. Only files in this folder read or change them.

import type { ModelPresence } from '@hearth/protocol'
import type { Ranked } from '../../../time/ranked-heap.ts'
import type { Ask, ModelFile, Ms, Ticket } from '../../terms/job.ts'
import type { FairQueue, Waiter } from './fair-queue.ts'
import type { FeatureMask } from './feature-mask.ts'
import type { AnswerLengths } from './learned/answer-lengths.ts'
import type { KeyHabits } from './learned/key-habits.ts'
import type { OpenDevices } from './open-devices.ts'
import type { Pace } from './learned/pace.ts'
import type { PrefixMemory } from './learned/prefix-memory.ts'
import type { Forecast } from './types.ts'

/** Everything that has a deadline. Its rank is when the deadline is due. */
export type Timed = Asked | Held | ServedModel

/** One model, with the jobs that need it and the devices that serve it. Lanes don't affect each other. */
export interface Lane {
  readonly model: string
  readonly queue: FairQueue<Asked>
  readonly memory: PrefixMemory<ServedModel>
  /** The model on each linked device that has at least one slot for it. */
  readonly served: ServedModel[]
  /** Those that could take a job now. */
  readonly open: OpenDevices<ServedModel>
  /**
   * Leases whose device is gone, by number, until their fronts have said whether the job wants another slot. Nobody is served before that: a
   * job that came first would lose its place.
   */
  readonly lost: Map<number, Held>
  /** Jobs that want a second device, the oldest first: they get the next suitable slot. */
  readonly seconds: Set<Asked>
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
  /** The gateway that it is connected to. */
  readonly home: string
  /** Of the device app: one for each start. */
  readonly boot: string
  /** Of the home's latest statement which slots are taken. */
  edition: number
  isDraining: boolean
  /** Its home can't be reached: nothing is leased there until it has stated again which slots are taken. */
  isAway: boolean
  /** The device left an offer unanswered for longer than usual, and has not answered anything since. */
  isLate: boolean
  readonly served: Map<string, ServedModel>
  /** Few at a time, and changed by every job: a list is cheaper than a set. */
  readonly leases: Held[]
}

/** A model as one device serves it. */
export interface ServedModel extends Ranked {
  readonly kind: 'served'
  readonly device: Device
  lane: Lane
  /** 0 once the device has withdrawn the model; its leases stay until they are free, and its refusals until it accepts. */
  slots: number
  /** Whether the device has it in memory, as it said last. */
  presence: ModelPresence
  /** How long loading is expected to take. */
  loadMs: Ms
  /** When it was first asked for the model that it loads now. */
  loadingSince: Ms | undefined
  /** When it said that it has the model. */
  loadedAt: Ms
  features: FeatureMask
  /** The model's file; undefined if the device doesn't know it. */
  digest: string | undefined
  contextLength: number
  /** Slots taken, including those of attempts that were given up and that the device may still work on. */
  leased: number
  /** How many of those are suspect. */
  suspect: number
  /** The device refused a job and gets no offers until its rank. */
  isBackingOff: boolean
  /** Length of the latest backoff; 0 once the device has accepted a job. */
  backoffMs: Ms
  /** Position in `lane.open`, or -1. */
  openPlace: number
  /** Number of its latest lease: smaller is longer ago. */
  lastLease: number
  msPerCharacter: number
  readonly pace: Pace
}

/** A job that waits for a slot. */
export interface Asked extends Ranked, Waiter {
  readonly kind: 'ask'
  /** The gateway that has the job. */
  readonly asker: string
  readonly ticket: Ticket
  readonly want: Ask['want']
  readonly isFirst: boolean
  readonly features: FeatureMask
  /** The only devices that can open it; undefined if it is not sealed. */
  readonly sealedFor: ReadonlySet<string> | undefined
  readonly lane: Lane
  readonly submittedAt: Ms
  /** It gets a slot by then, or none. */
  waitUntil: Ms
  /** `waitUntil` is earlier than the front wanted. */
  isShortened: boolean
  /** Until then it waits for a device that has the model loaded; later any device may load it. */
  readonly patientUntil: Ms
  isImpatient: boolean
  /** Undefined if the reply starts over. */
  begun: ModelFile | undefined
  readonly mustContinue: boolean
  readonly avoided: ReadonlySet<string> | undefined
  readonly excluded: ReadonlySet<string> | undefined
  /** The forecast at its submission, of the jobs that are samples. */
  forecast: Forecast | undefined
}

/** A slot that a lease takes. */
export interface Held extends Ranked {
  readonly kind: 'lease'
  readonly number: number
  readonly served: ServedModel
  readonly asker: string
  /** Undefined if another lessor gave it: then only the slot is known. */
  readonly ticket: Ticket | undefined
  /** Tokens that the key is charged until the front says what it used. */
  charged: number
  /** Characters of the prompt that the device probably has to read. */
  readonly uncached: number
  readonly takenAt: Ms
  /** The device has accepted the job, so its home has the lease. */
  isAnswered: boolean
  /** `held`: a job counts on it. `stopping`: its front is done with it, and its home not. `suspect`: for longer than it should take. `lost`: its device is gone, and its front has not said what follows. */
  state: 'held' | 'stopping' | 'suspect' | 'lost'
  /** The slot is free, and the front has not said what it used. */
  isFreed: boolean
}
