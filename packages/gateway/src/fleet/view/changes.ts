// Tells listeners that the view of an organization has changed. Load is compared at intervals, and only for organizations that have
// listeners, so jobs pay nothing for it.

import type { Clock } from '../../time/clock.ts'
import { repeat } from '../../time/repeat.ts'
import type { LessorStats } from '../slots/core/stats.ts'
import type { FleetChange } from '../terms/fleet-view.ts'

type Listener = (change: FleetChange) => void

interface Watched {
  listeners: Set<Listener>
  /** The load as last seen, as text to compare. */
  load: string
}

export class Changes {
  readonly #statsOf: (organization: string) => LessorStats | undefined
  readonly #watched = new Map<string, Watched>()
  readonly #stop: () => void

  constructor(statsOf: (organization: string) => LessorStats | undefined, intervalMs: number, clock: Clock) {
    this.#statsOf = statsOf
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
    const watched = { listeners: new Set<Listener>(), load: this.#loadOf(organization) }
    this.#watched.set(organization, watched)
    return watched
  }

  #compareLoads(): void {
    for (const [organization, watched] of this.#watched) {
      const load = this.#loadOf(organization)
      if (load === watched.load) continue
      watched.load = load
      this.announce(organization, 'devices', 'models')
    }
  }

  #loadOf(organization: string): string {
    const { served, queues } = this.#statsOf(organization) ?? { served: [], queues: [] }
    return `${served.map(({ leases }) => leases).join()} ${queues.map(({ queued }) => queued).join()}`
  }
}
