// Everything that a scheduler knows, as records. Only files in this folder read or change them.

import type { ModelPresence } from '@hearth/protocol'
import type { Ranked } from '../../../time/ranked-heap.ts'
import type { SlotRequest, ModelFile, Ms, Ticket } from '../../terms/job.ts'
import { FairQueue, type Waiter } from './fair-queue.ts'
import type { Reservation } from './budgets.ts'
import type { FeatureMask } from './feature-mask.ts'
import { AnswerLengths } from './learned/answer-lengths.ts'
import { KeyHabits } from './learned/key-habits.ts'
import { Pace } from './learned/pace.ts'
import { PrefixMemory } from './learned/prefix-memory.ts'
import { SpeedGroups, type SpeedGroup } from './speed-groups.ts'

/** Everything that has a deadline. Its rank is when the deadline is due. */
export type Timed = QueuedJob | Held | ServedModel | ModelQueue

/** One model, with the jobs that need it and the devices that serve it. Queues don't affect each other. */
export class ModelQueue implements Ranked {
  readonly kind = 'queue'
  /** When jobs that wait for a faster slot look again. */
  rank = 0
  position = -1
  readonly model: string
  readonly waiting = new FairQueue<QueuedJob>()
  readonly memory = new PrefixMemory<ServedModel>()
  /** The model on each linked device that has at least one slot for it. */
  readonly served: ServedModel[] = []
  /** Those that could take a job now. */
  readonly open = new SpeedGroups<ServedModel>()
  /** Those that could if one of their slots was free. */
  readonly busy = new SpeedGroups<ServedModel>()
  /**
   * Leases whose device is gone, by number, until their fronts have said whether the job wants another slot. Nobody is served before that: a
   * job that came first would lose its place.
   */
  readonly lost = new Map<number, Held>()
  /** Jobs that want a second device, the oldest first: they get the next suitable slot. */
  readonly seconds = new Set<QueuedJob>()
  readonly answers = new AnswerLengths()
  readonly habits = new KeyHabits()
  /** When a forecast was last compared with what happens. */
  sampledAt: Ms = Number.NEGATIVE_INFINITY
  /** The queue changed since it was last served. */
  isTouched = false

  constructor(model: string) {
    this.model = model
  }
}

/** A device and its current link. */
export class LinkedDevice {
  readonly id: string
  readonly epoch: number
  /** The gateway that it is connected to. */
  readonly hub: string
  /** Of the device app: one for each start. */
  readonly boot: string
  /** Of the hub's latest report which slots are taken; -1 before the first. */
  edition = -1
  isDraining = false
  /** Its hub can't be reached: nothing is leased there until it has reported again which slots are taken. */
  isAway = false
  /** The device left an offer unanswered for longer than usual, and has not answered anything since. */
  isLate = false
  readonly served = new Map<string, ServedModel>()
  /** Few at a time, and changed by every job: a list is cheaper than a set. */
  readonly leases: Held[] = []

  constructor(id: string, epoch: number, hub: string, boot: string) {
    this.id = id
    this.epoch = epoch
    this.hub = hub
    this.boot = boot
  }
}

/** A model as one device serves it. A new one is in no list, and the device has said nothing about it. */
export class ServedModel implements Ranked {
  readonly kind = 'served'
  rank = 0
  position = -1
  readonly device: LinkedDevice
  queue: ModelQueue
  /** 0 once the device has withdrawn the model; its leases stay until they are free, and its refusals until it accepts. */
  slots = 0
  /** Whether the device has it in memory, as it said last. */
  presence: ModelPresence = 'loadable'
  /** How long loading is expected to take. */
  loadMs: Ms = 0
  /** When it was first asked for the model that it loads now. */
  loadingSince: Ms | undefined
  /** When it said that it has the model. */
  loadedAt: Ms = 0
  features: FeatureMask = 0
  /** The model's file; undefined if the device doesn't know it. */
  digest: string | undefined
  contextLength = 0
  /** Slots taken, including those of attempts that were given up and that the device may still work on. */
  leased = 0
  /** How many of those are suspect. */
  suspect = 0
  /** Length of the latest backoff; 0 once the device has accepted a job. */
  backoffMs: Ms = 0
  /** `queue.open` or `queue.busy`, and its place there. */
  listedIn: SpeedGroups<ServedModel> | undefined
  group: SpeedGroup<ServedModel> | undefined
  groupPlace = -1
  speed = 0
  /** Number of its latest lease: smaller is longer ago. */
  lastLease = 0
  readonly pace: Pace

  constructor(device: LinkedDevice, queue: ModelQueue, pace = new Pace()) {
    this.device = device
    this.queue = queue
    this.pace = pace
  }

  /** The device refused a job and gets no offers until its rank. */
  get isBackingOff(): boolean {
    return this.position >= 0
  }
}

/** A job that waits for a slot. */
export interface QueuedJob extends Ranked, Waiter {
  readonly kind: 'job'
  /** The gateway that has the job. */
  readonly front: string
  readonly ticket: Ticket
  readonly want: SlotRequest['want']
  readonly isFirst: boolean
  readonly features: FeatureMask
  /** The only devices that can open it; undefined if it is not sealed. */
  readonly sealedFor: ReadonlySet<string> | undefined
  readonly queue: ModelQueue
  readonly submittedAt: Ms
  /** It gets a slot by then, or none. */
  waitUntil: Ms
  /** `waitUntil` is earlier than the front wanted. */
  isShortened: boolean
  /** Until then it waits for a device that has the model loaded; later any device may load it. */
  readonly patientUntil: Ms
  isImpatient: boolean
  /** Since then it waits for a faster slot although one is free; undefined if it does not. */
  heldBackSince: Ms | undefined
  /** Undefined if the reply starts over. */
  begun: ModelFile | undefined
  readonly mustContinue: boolean
  /** Of a begun reply in line: what it was to use still counts. */
  reservation: Reservation | undefined
  readonly avoided: ReadonlySet<string> | undefined
  readonly excluded: ReadonlySet<string> | undefined
  /** Until its first event, as forecast at its submission; undefined unless the job is a sample. */
  expectedMs: Ms | undefined
}

/** A slot that a lease takes. */
export interface Held extends Ranked {
  readonly kind: 'lease'
  readonly number: number
  readonly served: ServedModel
  readonly front: string
  /** Undefined if another scheduler gave it: then only the slot is known. */
  readonly ticket: Ticket | undefined
  /** Tokens that the key is charged until the front says what it used. */
  charged: number
  /** Of the key's budgets, until the front says what it used. */
  reservation: Reservation | undefined
  /** Characters of the prompt that the device probably has to read. */
  readonly uncached: number
  readonly takenAt: Ms
  /** How many other slots were taken then. */
  readonly besideAtFirst: number
  /** The device has accepted the job, so its hub has the lease. */
  isAccepted: boolean
  /** `held`: a job counts on it. `stopping`: its front is done with it, and its hub not. `suspect`: for longer than it should take. `lost`: its device is gone, and its front has not said what follows. */
  state: 'held' | 'stopping' | 'suspect' | 'lost'
  /** The slot is free, and the front has not said what it used. */
  isFreed: boolean
}
