// Changes that happen at other gateways. Each gateway tells only those that watch the organization, so nobody pays for views that nobody
// looks at.

import type { Message } from '../terms/messages.ts'
import type { Changes } from './changes.ts'
import type { FleetChange } from '../terms/fleet-view.ts'

type Listener = (change: FleetChange) => void

const ALL_CHANGES: readonly FleetChange[] = ['devices', 'models']

/** By one gateway, which lets people open as many event streams. */
export const MOST_WATCHED = 10_000

export interface RemoteChangesOptions {
  /** The changes at this gateway. */
  changes: Pick<Changes, 'listen'>
  /** The other gateways. */
  others: () => readonly string[]
  /** Whether there is anything to see of the organization at this gateway. */
  hasView: (organization: string) => boolean
  send: (to: string, message: Message) => void
}

export class RemoteChanges {
  readonly #options: RemoteChangesOptions
  readonly #listeners = new Map<string, Set<Listener>>()
  /** Ends what each gateway watches here, by organization. */
  readonly #watchers = new Map<string, Map<string, () => void>>()

  constructor(options: RemoteChangesOptions) {
    this.#options = options
  }

  /** Hears of changes here and elsewhere. */
  listen(organization: string, listener: Listener): () => void {
    const stopLocal = this.#options.changes.listen(organization, listener)
    const listeners = this.#listeners.get(organization) ?? new Set()
    if (listeners.size === 0) this.#tellOthers({ type: 'watch', organization })
    this.#listeners.set(organization, listeners.add(listener))
    return () => {
      stopLocal()
      if (listeners.delete(listener) && listeners.size === 0) this.#unwatch(organization)
    }
  }

  /** Something changed at another gateway. */
  changed(organization: string, change: FleetChange): void {
    for (const listener of this.#listeners.get(organization) ?? []) listener(change)
  }

  /** Another gateway watches the organization. */
  watched(from: string, organization: string): void {
    const watching = this.#watchers.get(from) ?? new Map<string, () => void>()
    this.#watchers.set(from, watching)
    if (watching.has(organization) || watching.size >= MOST_WATCHED) return
    const tell = (change: FleetChange) => this.#options.send(from, { type: 'changed', organization, change })
    watching.set(organization, this.#options.changes.listen(organization, tell))
    // The other gateway may have looked before its message got here.
    if (this.#options.hasView(organization)) for (const change of ALL_CHANGES) tell(change)
  }

  unwatched(from: string, organization: string): void {
    this.#watchers.get(from)?.get(organization)?.()
    this.#watchers.get(from)?.delete(organization)
  }

  /** Both forget what the other watched. What happened in between may have changed every view. */
  peerUp(peer: string): void {
    for (const organization of this.#listeners.keys()) {
      this.#options.send(peer, { type: 'watch', organization })
      for (const change of ALL_CHANGES) this.changed(organization, change)
    }
  }

  peerLost(peer: string): void {
    for (const stop of this.#watchers.get(peer)?.values() ?? []) stop()
    this.#watchers.delete(peer)
  }

  #unwatch(organization: string): void {
    this.#listeners.delete(organization)
    this.#tellOthers({ type: 'unwatch', organization })
  }

  #tellOthers(message: Message): void {
    for (const peer of this.#options.others()) this.#options.send(peer, message)
  }
}
