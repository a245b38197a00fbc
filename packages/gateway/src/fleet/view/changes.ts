// Tells listeners that the view of an organization has changed, at this gateway or another one. Each gateway tells only those that watch the
// organization, and load is compared at intervals: nobody pays for views that nobody looks at.

import type { Clock } from '../../time/clock.ts'
import { repeat } from '../../time/repeat.ts'
import type { LessorStats } from '../slots/core/stats.ts'
import type { FleetChange } from '../terms/fleet-view.ts'
import type { Message } from '../terms/messages.ts'

type Listener = (change: FleetChange) => void

const ALL_CHANGES: readonly FleetChange[] = ['devices', 'models']

/** By one gateway, which lets people open as many event streams. */
export const MOST_WATCHED = 10_000

export interface ChangesOptions {
  statsOf: (organization: string) => LessorStats | undefined
  /** Whether there is anything to see of the organization at this gateway. */
  hasView: (organization: string) => boolean
  /** The other gateways. */
  others: () => readonly string[]
  send: (to: string, message: Message) => void
  /** How often load is compared. */
  compareMs: number
  clock: Clock
}

interface Watched {
  /** They hear of changes at all gateways. */
  listeners: Set<Listener>
  /** Gateways that hear of changes here. */
  watchers: Set<string>
  /** The load as last seen, as text to compare. */
  load: string
}

export class Changes {
  readonly #options: ChangesOptions
  readonly #watched = new Map<string, Watched>()
  /** The organizations that each gateway watches here. */
  readonly #watching = new Map<string, Set<string>>()
  readonly #stop: () => void

  constructor(options: ChangesOptions) {
    this.#options = options
    this.#stop = repeat(options.clock, options.compareMs, () => this.#compareLoads())
  }

  /** Hears of changes here and elsewhere. */
  listen(organization: string, listener: Listener): () => void {
    const { listeners } = this.#watch(organization)
    if (listeners.size === 0) this.#tellOthers({ type: 'watch', organization })
    listeners.add(listener)
    return () => {
      if (!listeners.delete(listener) || listeners.size > 0) return
      this.#tidy(organization)
      this.#tellOthers({ type: 'unwatch', organization })
    }
  }

  /** Something changed at this gateway. */
  announce(organization: string, ...changes: readonly FleetChange[]): void {
    for (const change of changes) {
      this.changed(organization, change)
      for (const peer of this.#watched.get(organization)?.watchers ?? []) this.#tell(peer, organization, change)
    }
  }

  /** Something changed, here or at another gateway. */
  changed(organization: string, change: FleetChange): void {
    for (const listener of this.#watched.get(organization)?.listeners ?? []) listener(change)
  }

  /** Another gateway watches the organization. */
  watched(from: string, organization: string): void {
    const watching = this.#watching.get(from) ?? new Set()
    this.#watching.set(from, watching)
    if (watching.has(organization) || watching.size >= MOST_WATCHED) return
    watching.add(organization)
    this.#watch(organization).watchers.add(from)
    // The other gateway may have looked before its message got here.
    if (this.#options.hasView(organization)) for (const change of ALL_CHANGES) this.#tell(from, organization, change)
  }

  unwatched(from: string, organization: string): void {
    this.#watching.get(from)?.delete(organization)
    this.#watched.get(organization)?.watchers.delete(from)
    this.#tidy(organization)
  }

  /** Both forget what the other watched. What happened in between may have changed every view. */
  peerUp(peer: string): void {
    for (const [organization, { listeners }] of this.#watched) {
      if (listeners.size > 0) this.#options.send(peer, { type: 'watch', organization })
      for (const change of ALL_CHANGES) this.changed(organization, change)
    }
  }

  peerLost(peer: string): void {
    for (const organization of this.#watching.get(peer) ?? []) this.unwatched(peer, organization)
    this.#watching.delete(peer)
  }

  close(): void {
    this.#stop()
    this.#watched.clear()
  }

  #watch(organization: string): Watched {
    const known = this.#watched.get(organization)
    if (known) return known
    const watched = { listeners: new Set<Listener>(), watchers: new Set<string>(), load: this.#loadOf(organization) }
    this.#watched.set(organization, watched)
    return watched
  }

  #tidy(organization: string): void {
    const { listeners, watchers } = this.#watched.get(organization) ?? {}
    if (listeners?.size === 0 && watchers?.size === 0) this.#watched.delete(organization)
  }

  #compareLoads(): void {
    for (const [organization, watched] of this.#watched) {
      const load = this.#loadOf(organization)
      if (load === watched.load) continue
      watched.load = load
      this.announce(organization, ...ALL_CHANGES)
    }
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
