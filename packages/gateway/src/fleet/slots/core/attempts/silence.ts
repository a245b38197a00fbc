// How long a device that has a job may stay silent, and how long it may load the model. Events only note their time and don't move the
// deadline, so most deadlines turn out to be too early.

import type { RankedHeap } from '../ranked-heap.ts'
import { hasDelivered, type Running, type ServedModel, type Timed } from '../state/state.ts'
import type { Ms } from '../../../terms/job.ts'
import type { SchedulerLimits } from '../types.ts'

export class Silence {
  readonly #deadlines: RankedHeap<Timed>
  readonly #limits: SchedulerLimits

  constructor(deadlines: RankedHeap<Timed>, limits: SchedulerLimits) {
    this.#deadlines = deadlines
    this.#limits = limits
  }

  put(run: Running): void {
    this.#deadlines.put(run.lease, Math.min(this.silentUntil(run), run.lease.job.totalUntil))
  }

  /** Counted from the last sign of life. Loading is waiting, so it also ends with the job's waiting time. */
  silentUntil(run: Running): Ms {
    const { gapMs, firstEventMs } = this.#limits
    if (run.isLoading) return Math.min(run.lease.job.waitUntil, run.lastSignAt + firstEventMs)
    return run.lastSignAt + (hasDelivered(run) ? gapMs : firstEventMs)
  }

  /** A device that has begun can't go back to loading. */
  loading(run: Running): void {
    if (run.isLoading || hasDelivered(run) || run.promptTokens !== undefined) return
    run.isLoading = true
    run.lease.served.loadingSince ??= run.lease.takenAt
    this.put(run)
  }

  /** From here on the device works on the job: until now it has waited. */
  working(run: Running, now: Ms): void {
    if (!run.isLoading) return
    run.isLoading = false
    run.hasLoaded = true
    run.acceptedAt = now
    noteLoaded(run.lease.served, now)
    this.put(run)
  }
}

/** The first of several jobs that waited for the same model. */
function noteLoaded(served: ServedModel, now: Ms): void {
  if (served.loadingSince === undefined) return
  served.pace.hasLoaded(now - served.loadingSince)
  served.loadingSince = undefined
}
