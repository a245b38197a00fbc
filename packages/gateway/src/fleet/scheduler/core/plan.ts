// Whether a job is better off waiting for a slot that is taken than on a free one: on a fast device that is free in a moment, it may end sooner.
// The line is planned in its order, and a slot that a job waits for is taken for those behind it until that job should end. A plan holds until the
// next event: nothing of it is kept but when it has to be made again.

import { isAble, isPresent, type Choice } from './choose-device.ts'
import { slotLeft } from './forecasts/held-time.ts'
import type { Ms } from '../../terms/job.ts'
import type { QueuedJob, ServedModel } from './state.ts'

/** How many devices with all slots taken are considered for a job. */
const CONSIDERED = 12
/** Nobody knows how long an answer will be, so this part of what is possible. */
const QUANTILE = 0.5
/** Waiting is worth it if the job is expected to end within this part of the time: a free slot is certain, and the end of another job is not. */
const WORTH = 0.6

interface Awaited {
  releases: Ms[]
  /** In `releases`. */
  index: number
  endMs: Ms
}

export class Plan {
  /** When the next slot is expected that somebody waits for, counted from now. */
  nextMs = Number.POSITIVE_INFINITY
  readonly #now: Ms
  /** When the slots of a device are expected to be free, counted from now. */
  readonly #releases = new Map<ServedModel, Ms[]>()

  constructor(now: Ms) {
    this.#now = now
  }

  /** The job waits for a slot that ends it sooner than the best of the free ones. */
  holdBack(job: QueuedJob, choice: Choice): boolean {
    const isAnswering = choice.isReady && job.begun === undefined
    const awaited = isAnswering ? this.#find(job, choice) : undefined
    if (awaited === undefined) {
      job.heldBackSince = undefined
      return false
    }
    job.heldBackSince ??= this.#now
    const { releases, index, endMs } = awaited
    this.nextMs = Math.min(this.nextMs, releases[index]!)
    releases[index] = endMs
    return true
  }

  #find(job: QueuedJob, { time, tokens }: Choice): Awaited | undefined {
    const { heldBackSince = this.#now, queue } = job
    // No longer than the answer would have taken on the free one.
    if (this.#now - heldBackSince >= time) return undefined
    const { busy } = queue
    let best: Awaited | undefined
    let soonest = time * WORTH
    let left = CONSIDERED
    for (let rest = busy.filled; rest !== 0 && left > 0; rest &= rest - 1) {
      const group = busy.fastest(rest)
      if (group.least * tokens >= soonest) break
      for (const served of group.all) {
        if (left === 0) break
        if (!isAwaitable(job, served)) continue
        left -= 1
        const awaited = this.#await(job, served, tokens)
        if (awaited.endMs >= soonest) continue
        soonest = awaited.endMs
        best = awaited
      }
    }
    return best
  }

  /** The next slot of the device, and when the job would end there. */
  #await({ queue, ticket }: QueuedJob, served: ServedModel, tokens: number): Awaited {
    const { pace, slots } = served
    const unread = Math.max(0, ticket.promptSize - queue.memory.heldSize(served, ticket.prefixes))
    const releases = this.#releasesOf(served)
    const index = leastOf(releases)
    const ownMs = pace.reading.at(unread) + pace.writing.msPerToken(slots - 1) * tokens
    return { releases, index, endMs: releases[index]! + ownMs }
  }

  #releasesOf(served: ServedModel): Ms[] {
    const known = this.#releases.get(served)
    if (known !== undefined) return known
    const releases: Ms[] = []
    for (const held of served.device.leases)
      if (held.served === served && !held.isFreed) releases.push(slotLeft(held, QUANTILE, this.#now))
    this.#releases.set(served, releases)
    return releases
  }
}

function isAwaitable(job: QueuedJob, served: ServedModel): boolean {
  return (
    isPresent(served) &&
    served.leased === served.slots &&
    !served.device.isLate &&
    job.avoided?.has(served.device.id) !== true &&
    isAble(job, served)
  )
}

function leastOf(values: readonly number[]): number {
  let least = 0
  for (let index = 1; index < values.length; index++) if (values[index]! < values[least]!) least = index
  return least
}
