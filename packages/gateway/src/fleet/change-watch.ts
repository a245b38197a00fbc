// Tells listeners that the view of an organization has changed. Load is compared at intervals, and only for organizations that have
// listeners, so jobs pay nothing for it.

import { repeat } from '../bus/repeat.ts'
import { realClock, type Clock } from '../bus/clock.ts'
import type { SchedulerStats } from './scheduler/core/stats.ts'
import type { FleetChange } from './fleet.ts'

type Listener = (change: FleetChange) => void

interface Watched {
  listeners: Set<Listener>
  /** The load as last seen, as text to compare. */
  load: string
}

export class ChangeWatch {
  readonly #stats: () => SchedulerStats
  readonly #watched = new Map<string, Watched>()
  readonly #stop: () => void

  constructor(stats: () => SchedulerStats, intervalMs: number, clock: Clock = realClock) {
    this.#stats = stats
    this.#stop = repeat(clock, intervalMs, () => this.#compareLoads())
  }

  listen(organization: string, listener: Listener): () => void {
    const watched = this.#watch(organization)
    watched.listeners.add(listener)
    return () => {
      watched.listeners.delete(listener)
      if (watched.listeners.size === 0 && this.#watched.get(organization) === watched)
        this.#watched.delete(organization)
    }
  }

  announce(organization: string, ...changes: readonly FleetChange[]): void {
    for (const listener of this.#watched.get(organization)?.listeners ?? [])
      for (const change of changes) listener(change)
  }

  close(): void {
    this.#stop()
    this.#watched.clear()
  }

  #watch(organization: string): Watched {
    const known = this.#watched.get(organization)
    if (known) return known
    const watched = { listeners: new Set<Listener>(), load: describeLoad(organization, this.#stats()) }
    this.#watched.set(organization, watched)
    return watched
  }

  #compareLoads(): void {
    if (this.#watched.size === 0) return
    const stats = this.#stats()
    for (const [organization, watched] of this.#watched) {
      const load = describeLoad(organization, stats)
      if (load === watched.load) continue
      watched.load = load
      this.announce(organization, 'devices', 'models')
    }
  }
}

function describeLoad(organization: string, { served, queues }: SchedulerStats): string {
  const running = served.filter((one) => one.organization === organization).map(({ leases }) => leases)
  const queued = queues.filter((one) => one.organization === organization).map((one) => one.queued)
  return `${running.join()} ${queued.join()}`
}
