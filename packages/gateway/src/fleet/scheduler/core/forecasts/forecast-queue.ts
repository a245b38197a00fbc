// Forecasts when each waiting job of a queue will get its first event, by simulating the jobs: every slot is free after the rest of the
// answer that it works on, takes the next job in jobs, and is free again after that answer. Nobody knows how long an answer will be, so the
// simulation is repeated with lengths of the model's earlier answers, spread evenly over all of them, and the median counts. Nothing in it is
// random: the same queue gives the same forecast.

import { isAble, isPresent } from '../choose-device.ts'
import { RankedHeap, type Ranked } from '../../../../time/ranked-heap.ts'
import type { FairQueue } from '../fair-queue.ts'
import type { QueuedJob, ModelQueue, ServedModel } from '../state.ts'
import type { Forecast } from '../types.ts'
import type { Ms } from '../../../terms/job.ts'
import { drawAnswer, loadingLeft, slotLeft } from './held-time.ts'

/** A simulated slot. Its rank is when it is free, counted from now. */
interface Slot extends Ranked {
  readonly served: ServedModel
}

/** Steps that one forecast may take: a long queue evens out on its own and needs no repetition. */
const STEPS = 3_000
const MOST_PLAYS = 15
/** How many slots are tried for a job that not every device can do. */
const TRIED_SLOTS = 16
// Multiples of these, without their whole part, spread evenly between 0 and 1, however many there are.
const SPREAD = 0.618_033_988_749_895
const OTHER_SPREAD = 0.754_877_666_246_693

export function forecastQueue(queue: ModelQueue, now: Ms): Map<QueuedJob, Forecast> {
  const jobs = orderJobs(queue.waiting)
  const slots = queue.served.reduce((sum, served) => sum + served.slots, 0)
  const plays = queue.answers.isEmpty ? 0 : playCount(jobs.length + slots)
  const patience = patienceOf(queue, jobs, now)
  const results = Array.from({ length: plays }, (_, play) => new Play(queue, patience, now, play).run(jobs))
  const timeOf = (index: number) => median(results.map((times) => times[index]!))
  return new Map(jobs.map((job, index) => [job, { place: index + 1, firstEventMs: timeOf(index) }]))
}

/**
 * The order in which waiting jobs will get a slot, as far as it is known now: that of the fair queue. A job starts when its key was charged for
 * everything before it, and no other key was charged less.
 */
function orderJobs(queue: FairQueue<QueuedJob>): QueuedJob[] {
  const jobs: { job: QueuedJob; charged: number }[] = []
  for (const { rank, charged, waiting } of queue.shares()) {
    let before = rank + charged
    for (const job of waiting) {
      jobs.push({ job, charged: before })
      before += job.ticket.cost
    }
  }
  jobs.sort((one, other) => one.charged - other.charged || one.job.order - other.job.order)
  return jobs.map(({ job }) => job)
}

/** How long the next job waits for a device that has the model before another one loads it. */
function patienceOf(queue: ModelQueue, jobs: readonly QueuedJob[], now: Ms): Ms {
  return queue.served.some(isPresent) ? Math.max(0, (jobs[0]?.patientUntil ?? 0) - now) : 0
}

/** Odd, so that there is one in the middle. */
function playCount(steps: number): number {
  return 1 + 2 * Math.floor(Math.min(MOST_PLAYS, STEPS / steps) / 2)
}

function median(times: number[]): Ms | undefined {
  const middle = times.toSorted((one, other) => one - other)[times.length >> 1]
  return middle === undefined || middle === Number.POSITIVE_INFINITY ? undefined : middle
}

class Play {
  readonly #queue: ModelQueue
  readonly #now: Ms
  readonly #slots = new RankedHeap<Slot>()
  /** When the devices that have to load the model first will have it. */
  readonly #readyAt = new Map<ServedModel, Ms>()
  #quantile: number

  constructor(queue: ModelQueue, patience: Ms, now: Ms, play: number) {
    this.#queue = queue
    this.#now = now
    this.#quantile = (play * OTHER_SPREAD) % 1
    for (const served of queue.served)
      if (!served.device.isDraining && !served.device.isAway) this.#open(served, patience)
  }

  /** When each job gets its first event; infinite if never. */
  run(jobs: readonly QueuedJob[]): Float64Array {
    return Float64Array.from(jobs, (job) => this.#start(job))
  }

  #open(served: ServedModel, patience: Ms): void {
    const { slots, leased, isBackingOff, rank } = served
    const freeAt = Math.max(isBackingOff ? rank - this.#now : 0, isPresent(served) ? 0 : patience)
    for (let free = leased; free < slots; free++) this.#put(served, freeAt)
    for (const lease of served.device.leases)
      if (lease.served === served && !lease.isFreed) this.#put(served, slotLeft(lease, this.#nextQuantile(), this.#now))
  }

  #put(served: ServedModel, freeAt: Ms): void {
    if (freeAt < Number.POSITIVE_INFINITY) this.#slots.put({ rank: 0, position: -1, served }, freeAt)
  }

  #start(job: QueuedJob): Ms {
    const slot = this.#take(job)
    if (slot === undefined) return Number.POSITIVE_INFINITY
    const { served } = slot
    const cached = this.#queue.memory.heldSize(served, job.ticket.prefixes)
    const readMs = served.pace.reading.at(Math.max(0, job.ticket.promptSize - cached))
    const firstEventAt = this.#loadedAt(slot) + readMs
    const tokens = drawAnswer(this.#queue, job.ticket, this.#nextQuantile())
    this.#slots.put(slot, firstEventAt + tokens * served.pace.writing.msPerToken(served.slots - 1))
    return firstEventAt
  }

  #loadedAt({ served, rank }: Slot): Ms {
    if (served.presence === 'loaded') return rank
    const { loadingSince = this.#now + rank } = served
    const readyAt = this.#readyAt.get(served) ?? loadingLeft(served, loadingSince, this.#now)
    this.#readyAt.set(served, readyAt)
    return Math.max(rank, readyAt)
  }

  /** The slot that is free first, of those whose device can do the job. */
  #take(job: QueuedJob): Slot | undefined {
    const unfit: Slot[] = []
    let slot = this.#slots.first()
    while (slot !== undefined && !isAble(job, slot.served)) {
      this.#slots.remove(slot)
      slot = unfit.push(slot) < TRIED_SLOTS ? this.#slots.first() : undefined
    }
    for (const one of unfit) this.#slots.put(one, one.rank)
    return slot
  }

  #nextQuantile(): number {
    this.#quantile = (this.#quantile + SPREAD) % 1
    return this.#quantile
  }
}
