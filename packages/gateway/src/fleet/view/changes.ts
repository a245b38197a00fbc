// Tells listeners that the view of an organization has changed, at this gateway or another one. Each gateway tells only those that watch the
// organization, and load is compared at intervals: nobody pays for views that nobody looks at.

import type { Clock } from '../../time/clock.ts'
import { repeat } from '../../time/repeat.ts'
import type { SchedulerStats } from '../scheduler/core/stats.ts'
import type { FleetChange } from '../terms/fleet-view.ts'
import type { Message } from '../terms/messages.ts'

type Listener = (change: FleetChange) => void

const ALL_CHANGES: readonly FleetChange[] = ['devices', 'models']

/** By one gateway, which lets people open as many event streams. */
export const MOST_WATCHED = 10_000

export interface ChangesOptions {
  send: (to: string, message: Message) => void
  statsOf: (organization: string) => SchedulerStats | undefined
  /** Whether there is anything to see of the organization at this gateway. */
  hasView: (organization: string) => boolean
  /** The other gateways. */
  others: () => readonly string[]
  /** How often load is compared. */
  compareMs: number
  clock: Clock
}

export class Changes {
  readonly #options: ChangesOptions
  /** They hear of changes at all gateways. By organization. */
  readonly #listeners = new Map<string, Set<Listener>>()
  /** The organizations whose changes here each gateway hears of. */
  readonly #watching = new Map<string, Set<string>>()
  /** Of all these organizations, the load as last seen, as text to compare. */
  #loads = new Map<string, string>()
  readonly #stop: () => void

  constructor(options: ChangesOptions) {
    this.#options = options
    this.#stop = repeat(options.clock, options.compareMs, () => this.#compareLoads())
  }

  /** Hears of changes here and elsewhere. */
  listen(organization: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(organization) ?? new Set()
    if (listeners.size === 0) this.#tellOthers({ type: 'watch', organization })
    this.#listeners.set(organization, listeners.add(listener))
    this.#noteLoad(organization)
    return () => {
      if (!listeners.delete(listener) || listeners.size > 0) return
      this.#listeners.delete(organization)
      this.#tellOthers({ type: 'unwatch', organization })
    }
  }

  /** Something changed at this gateway. */
  announce(organization: string, ...changes: readonly FleetChange[]): void {
    for (const change of changes) {
      this.changed(organization, change)
      for (const [peer, watched] of this.#watching)
        if (watched.has(organization)) this.#tell(peer, organization, change)
    }
  }

  /** Something changed, here or at another gateway. */
  changed(organization: string, change: FleetChange): void {
    for (const listener of this.#listeners.get(organization) ?? []) listener(change)
  }

  /** Another gateway watches the organization. */
  watched(from: string, organization: string): void {
    const watched = this.#watching.get(from) ?? new Set()
    if (watched.has(organization) || watched.size >= MOST_WATCHED) return
    this.#watching.set(from, watched.add(organization))
    this.#noteLoad(organization)
    // The other gateway may have looked before its message got here.
    if (this.#options.hasView(organization)) for (const change of ALL_CHANGES) this.#tell(from, organization, change)
  }

  unwatched(from: string, organization: string): void {
    this.#watching.get(from)?.delete(organization)
  }

  /** Both forget what the other watched. What happened in between may have changed every view. */
  peerUp(peer: string): void {
    for (const organization of this.#listeners.keys()) {
      this.#options.send(peer, { type: 'watch', organization })
      for (const change of ALL_CHANGES) this.changed(organization, change)
    }
  }

  peerLost(peer: string): void {
    this.#watching.delete(peer)
  }

  close(): void {
    this.#stop()
    this.#listeners.clear()
  }

  #noteLoad(organization: string): void {
    if (!this.#loads.has(organization)) this.#loads.set(organization, this.#loadOf(organization))
  }

  #compareLoads(): void {
    const before = this.#loads
    const watched = [...this.#listeners.keys(), ...this.#watching.values().flatMap((organizations) => organizations)]
    this.#loads = new Map(watched.map((organization) => [organization, this.#loadOf(organization)]))
    for (const [organization, load] of this.#loads)
      if (load !== before.get(organization)) this.announce(organization, ...ALL_CHANGES)
  }

  #loadOf(organization: string): string {
    const { served, queues } = this.#options.statsOf(organization) ?? { served: [], queues: [] }
    return `${served.map(({ leases }) => leases).join()} ${queues.map(({ queued }) => queued).join()}`
  }

  #tell(peer: string, organization: string, change: FleetChange): void {
    this.#options.send(peer, { type: 'changed', organization, change })
  }

  #tellOthers(message: Message): void {
    for (const peer of this.#options.others()) this.#options.send(peer, message)
  }
}
