// Decides which key is served next among those that share a model: the one that was charged the fewest tokens. A key is charged the
// expected tokens when its job gets a slot, and the used tokens when the job ends. Within a key, the oldest job goes first. The queue knows
// nothing about devices: the caller says which jobs could start right now.

import { PassingMap } from '@hearth/chat'
import { forgetOldest } from '../../../forget-oldest.ts'
import { RankedHeap, type Ranked } from '../../../time/ranked-heap.ts'

export interface Waiter {
  /** When it came: smaller is older. */
  order: number
  ticket: { key: string; cost: number }
}

/** One key's share of the queue. Its rank is the tokens of its jobs that ended. */
export interface Share<Job extends Waiter> extends Ranked {
  key: string
  /** Oldest first. */
  waiting: Job[]
  /** Waiting and running together. */
  jobs: number
  /** Tokens charged for jobs that hold a slot. */
  charged: number
  /** Tokens of its jobs that were passed over, as if they had got a slot. */
  passed: number
}

/** How many keys that left are remembered, so that leaving and coming back gains no credit. */
const REMEMBERED_KEYS = 256

export class FairQueue<Job extends Waiter> {
  readonly #active = new PassingMap<Share<Job>>()
  readonly #levels = new RankedHeap<Share<Job>>()
  readonly #waiting = new Set<Share<Job>>()
  /** Tokens of keys that have no job anymore; keys that left first come first. */
  readonly #gone = new Map<string, number>()
  #length = 0

  /** How many jobs wait. */
  get length(): number {
    return this.#length
  }

  /** No key has a job, neither waiting nor running. */
  get isIdle(): boolean {
    return this.#active.size === 0
  }

  /** The key has a job more. A new key starts level with the key served least: being idle earns nothing. */
  join(key: string): void {
    const share = this.#active.get(key) ?? this.#open(key)
    share.jobs += 1
  }

  /** The key has a job less. */
  part(key: string): void {
    const share = this.#shareOf(key)
    share.jobs -= 1
    if (share.jobs === 0) this.#close(share)
  }

  /** Puts the job in line by age: a job that comes back goes before all that were submitted after it. */
  enter(job: Job): void {
    const share = this.#shareOf(job.ticket.key)
    const before = share.waiting.findLastIndex((other) => other.order <= job.order)
    share.waiting.splice(before + 1, 0, job)
    this.#waiting.add(share)
    this.#length += 1
  }

  leave(job: Job): void {
    const share = this.#shareOf(job.ticket.key)
    share.waiting.splice(share.waiting.indexOf(job), 1)
    if (share.waiting.length === 0) this.#waiting.delete(share)
    this.#length -= 1
  }

  /** Takes this many tokens as used until it is known how many were; fewer than none if that is known now. */
  charge(key: string, tokens: number): void {
    this.#shareOf(key).charged += tokens
  }

  /** The key has used these tokens. Its jobs may all be over. */
  spend(key: string, tokens: number): void {
    const share = this.#active.get(key)
    if (share !== undefined) this.#levels.put(share, share.rank + Math.max(0, tokens))
    else if (!this.isIdle) this.#gone.set(key, this.#firstLevel(key) + Math.max(0, tokens))
  }

  /** The job has had its turn, and waits on: `next` goes on as if it had got a slot. */
  passOver({ ticket: { key, cost } }: Job): void {
    this.#shareOf(key).passed += cost
  }

  /** All jobs that were passed over have their turn again. */
  forgetPassed(): void {
    for (const share of this.#waiting) share.passed = 0
  }

  /** The next job in turn among those that could start now. */
  next(couldStart: (job: Job) => boolean): Job | undefined {
    let best: Job | undefined
    let least = Number.POSITIVE_INFINITY
    for (const share of this.#waiting) {
      const served = share.rank + share.charged + share.passed
      if (served > least) continue
      // Between keys that were served the same, the older job goes first.
      if (served === least && best !== undefined && best.order <= share.waiting[0]!.order) continue
      const job = share.waiting.find(couldStart)
      if (job === undefined || (served === least && best !== undefined && best.order <= job.order)) continue
      best = job
      least = served
    }
    return best
  }

  all(): Job[] {
    return [...this.#waiting].flatMap((share) => share.waiting)
  }

  shares(): Iterable<Readonly<Share<Job>>> {
    return this.#active.values()
  }

  #firstLevel(key: string): number {
    return Math.max(this.#gone.get(key) ?? 0, this.#levels.first()?.rank ?? 0)
  }

  #open(key: string): Share<Job> {
    const level = this.#firstLevel(key)
    const share: Share<Job> = { rank: 0, position: -1, key, waiting: [], jobs: 0, charged: 0, passed: 0 }
    this.#gone.delete(key)
    this.#active.set(key, share)
    this.#levels.put(share, level)
    return share
  }

  #close(share: Share<Job>): void {
    this.#active.delete(share.key)
    this.#levels.remove(share)
    if (this.isIdle) {
      // Even an empty map makes a new table when it is cleared.
      if (this.#gone.size > 0) this.#gone.clear()
      return
    }
    this.#gone.set(share.key, share.rank)
    forgetOldest(this.#gone, REMEMBERED_KEYS)
  }

  #shareOf(key: string): Share<Job> {
    const share = this.#active.get(key)
    if (share === undefined) throw new Error(`Cannot queue a job of key ${key}: it never joined`)
    return share
  }
}
