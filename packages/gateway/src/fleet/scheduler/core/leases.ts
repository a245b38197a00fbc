// The leases of an organization's slots. A slot is taken until its hub says that it is free; what it costs its key is settled when its front
// says what it used. Either may come first.

import { MAX_CHOICES } from '@hearth/protocol'
import type { RankedHeap } from '../../../time/ranked-heap.ts'
import type { Ms, Settlement } from '../../terms/job.ts'
import type { Budgets } from './budgets.ts'
import type { ModelQueues } from './model-queues.ts'
import { updateDevice, updateOpen } from './served-model.ts'
import type { QueuedJob, LinkedDevice, Held, ServedModel, Timed } from './state.ts'
import type { SchedulerLimits } from './types.ts'

export interface LeasesOptions {
  queues: ModelQueues
  deadlines: RankedHeap<Timed>
  limits: SchedulerLimits
  reportsWanted: LinkedDevice[]
  budgets: Budgets
  nextNumber: () => number
}

/** A front hears from the hub that a device is gone, and has said by then whether its job wants another slot. */
const LOST_MS = 1_000
const FIRST_BACKOFF_MS = 250
const LONGEST_BACKOFF_MS = 8_000

export class Leases {
  readonly #options: LeasesOptions
  readonly #queues: ModelQueues
  readonly #deadlines: RankedHeap<Timed>

  constructor(options: LeasesOptions) {
    this.#options = options
    this.#queues = options.queues
    this.#deadlines = options.deadlines
  }

  /** The key of the job is in its queue already. */
  take({ front, ticket, want }: QueuedJob, served: ServedModel, now: Ms): Held {
    const cached = served.queue.memory.heldSize(served, ticket.prefixes)
    // A second slot replaces the first or is not used.
    const charged = want === 'slot' ? ticket.cost : 0
    const uncached = Math.max(0, ticket.promptSize - cached)
    const reservation = this.#options.budgets.reserve(ticket, served.queue)
    served.queue.waiting.charge(ticket.key, charged)
    const asking = { front, ticket, charged, reservation, uncached }
    return this.#add(newHeld(this.#options.nextNumber(), served, now, asking))
  }

  /** Another scheduler gave it. */
  occupy(number: number, served: ServedModel, now: Ms): void {
    this.#add(newHeld(number, served, now))
  }

  #add(held: Held): Held {
    const { served, number } = held
    served.lastLease = number
    served.leased += 1
    if (served.presence !== 'loaded') served.loadingSince ??= held.takenAt
    updateOpen(served)
    served.device.leases.push(held)
    return held
  }

  /** The hub says that the slot is free. */
  free(held: Held): void {
    if (held.isFreed) return
    const { served } = held
    held.isFreed = true
    served.leased -= 1
    if (held.state === 'suspect') served.suspect -= 1
    if (served.leased === 0) served.loadingSince = undefined
    updateOpen(served)
    this.#deadlines.remove(held)
    this.#queues.touch(served.queue)
    this.#raise(held)
    if (held.state !== 'held' || held.ticket === undefined) removeItem(served.device.leases, held)
  }

  /** The front says that it is done with it. */
  settle(held: Held, { kind, measured }: Settlement, now: Ms): void {
    if (held.state !== 'held' || held.ticket === undefined) return
    const { served } = held
    if (measured !== undefined) learn(held, measured)
    this.#uncharge(held)
    this.#release(held)
    if (kind === 'ended') this.trust(served)
    if (kind === 'refused' || kind === 'unreachable') this.backOff(served, now)
    held.state = 'stopping'
    if (held.isFreed) {
      removeItem(served.device.leases, held)
      updateOpen(served)
    } else if (kind === 'silent') this.suspect(held)
    else if (kind === 'stopping') this.#deadlines.put(held, now + this.#options.limits.cancelMs)
    else this.free(held)
  }

  /** Its front is gone and says nothing more. */
  abandon(held: Held, now: Ms): void {
    if (!held.isAccepted && !held.isFreed) this.#options.reportsWanted.push(held.served.device)
    this.settle(held, { key: '', model: '', tokens: 0, kind: 'stopping', measured: undefined }, now)
  }

  /** The device did not say in time that it has stopped. */
  suspect(held: Held): void {
    held.state = 'suspect'
    held.served.suspect += 1
    this.#deadlines.remove(held)
    this.#queues.touch(held.served.queue)
    this.#options.reportsWanted.push(held.served.device)
  }

  /** The link of the device is gone, or its hub knows nothing of the lease. */
  drop(held: Held, now: Ms): void {
    const isOwed = held.state === 'held' && held.ticket !== undefined
    const isLost = isOwed && !held.isFreed
    if (isLost) held.served.queue.lost.set(held.number, held)
    if (isOwed) this.#uncharge(held)
    if (!isLost) this.#release(held)
    if (held.state === 'held') held.state = isLost ? 'lost' : 'stopping'
    if (held.isFreed) removeItem(held.served.device.leases, held)
    else this.free(held)
    if (isLost) this.#deadlines.put(held, now + LOST_MS)
  }

  /** The front of a lost lease has said what follows, or is not waited for any longer. */
  forget(held: Held): void {
    const { queue } = held.served
    queue.lost.delete(held.number)
    this.#release(held)
    this.#deadlines.remove(held)
    this.#queues.touch(queue)
    this.#queues.tidy(queue)
  }

  #uncharge({ served, ticket, charged }: Held): void {
    if (ticket === undefined) return
    const { waiting } = served.queue
    waiting.charge(ticket.key, -charged)
    waiting.part(ticket.key)
    this.#queues.tidy(served.queue)
  }

  /** No answer is longer than the context of its model. */
  #raise({ reservation, served }: Held): void {
    if (reservation !== undefined) this.#options.budgets.raise(reservation, MAX_CHOICES * served.contextLength)
  }

  #release(held: Held): void {
    const { reservation } = held
    if (reservation === undefined) return
    held.reservation = undefined
    if (this.#options.budgets.release(reservation)) this.#queues.touchWaiting()
  }

  /** The device refused: it gets no offers for a while, twice as long each time, until it accepts or ends a job. */
  backOff(served: ServedModel, now: Ms): void {
    served.backoffMs = Math.min(Math.max(FIRST_BACKOFF_MS, 2 * served.backoffMs), LONGEST_BACKOFF_MS)
    this.#deadlines.put(served, now + served.backoffMs)
    this.approach(served)
  }

  /** Whether it gets offers has changed: jobs may start there, or wait for it no longer. */
  approach(served: ServedModel): void {
    updateOpen(served)
    this.#queues.touch(served.queue)
  }

  /** The device accepted or ended a job: its refusals are forgotten. */
  trust(served: ServedModel): void {
    if (served.backoffMs === 0) return
    served.backoffMs = 0
    this.#deadlines.remove(served)
    this.approach(served)
  }

  /** Jobs that waited for this device to have a free slot may go elsewhere while it is late. */
  setLate(device: LinkedDevice, isLate: boolean): void {
    if (device.isLate === isLate) return
    device.isLate = isLate
    updateDevice(device, this.#queues)
  }
}

type Asking = Pick<Held, 'front' | 'ticket' | 'charged' | 'reservation' | 'uncached'>
const UNKNOWN: Asking = { front: '', ticket: undefined, charged: 0, reservation: undefined, uncached: 0 }

function newHeld(number: number, served: ServedModel, now: Ms, asking = UNKNOWN): Held {
  const { front, ticket, charged, reservation, uncached } = asking
  return {
    kind: 'lease',
    rank: 0,
    position: -1,
    number,
    served,
    front,
    ticket,
    charged,
    reservation,
    uncached,
    takenAt: now,
    besideAtFirst: served.leased,
    // Of another scheduler's lease, its hub has said so.
    isAccepted: ticket === undefined,
    state: 'held',
    isFreed: false,
  }
}

/** How fast the device is, which conversation it holds, and how long answers are: even those that broke off, as they took a slot too. */
function learn(
  { served, ticket, uncached, besideAtFirst, isFreed }: Held,
  { readMs, answerMs, tokens }: NonNullable<Settlement['measured']>,
): void {
  const { queue, pace } = served
  pace.reading.add(uncached, readMs)
  if (served.slots > 0) queue.memory.remember(served, ticket!.prefixes)
  if (tokens === undefined) return
  queue.habits.add(ticket!.key, tokens)
  queue.answers.add(tokens, queue.habits.usualTokens(ticket!.key))
  // Those at both ends, for want of those in between.
  const besideAtLast = served.leased - (isFreed ? 0 : 1)
  if (tokens > 0) pace.writing.add(tokens, answerMs, (besideAtFirst + besideAtLast) / 2)
}

/** Fills the gap with the last one. */
function removeItem<Item>(items: Item[], item: Item): void {
  const last = items.pop()!
  if (last !== item) items[items.indexOf(item)] = last
}
