// Tells pages which kinds of things changed in their organization, but not how. Changes in the store show in its revisions, no matter which
// process made them; changes of devices and their load come from the fleet. Nothing is looked up while nobody listens.

import type { Fleet } from '../../fleet/fleet.ts'
import type { Store } from '../../store/store.ts'
import type { ChangeKind } from '../../store/tables/audit.ts'

export type LiveKind = ChangeKind | 'usage'
/** Hears of changes, and of the store's silence, during which it hears of nothing else. */
type Listener = (news: LiveKind | 'silence') => void

export interface ChangeFeedOptions {
  store: Pick<Store, 'organizationRevisions'>
  fleet: Pick<Fleet, 'onChange'>
  isStoreSilent: () => boolean
  pollMs: number
  onError: (error: unknown) => void
}

/** An organization with listeners. */
interface Followed {
  readonly listeners: Set<Listener>
  readonly revisions: Map<ChangeKind, number>
  /** The first look announces nothing: a page that starts to listen reads everything anyway. */
  hasBeenSeen: boolean
  readonly leaveFleet: () => void
}

export class ChangeFeed {
  readonly #options: ChangeFeedOptions
  readonly #followed = new Map<string, Followed>()
  readonly #timer: NodeJS.Timeout
  #looking: Promise<void> | undefined

  constructor(options: ChangeFeedOptions) {
    this.#options = options
    this.#timer = setInterval(() => this.tick(), options.pollMs).unref()
  }

  /** Call the returned function to stop listening. */
  listen(organization: string, listener: Listener): () => void {
    const followed = this.#follow(organization)
    followed.listeners.add(listener)
    return () => {
      followed.listeners.delete(listener)
      if (followed.listeners.size > 0 || this.#followed.get(organization) !== followed) return
      this.#followed.delete(organization)
      followed.leaveFleet()
    }
  }

  announce(organization: string, kind: LiveKind): void {
    for (const listener of this.#followed.get(organization)?.listeners ?? []) listener(kind)
  }

  tick(): void {
    if (!this.#options.isStoreSilent()) return void this.look()
    for (const { listeners } of this.#followed.values()) for (const listener of listeners) listener('silence')
  }

  /** Once this resolves, listeners hear of every later change. */
  async look(): Promise<void> {
    await this.#looking
    this.#looking ??= this.#lookOnce()
      .catch(this.#options.onError)
      .finally(() => (this.#looking = undefined))
    await this.#looking
  }

  close(): void {
    clearInterval(this.#timer)
    for (const { leaveFleet } of this.#followed.values()) leaveFleet()
    this.#followed.clear()
  }

  #follow(organization: string): Followed {
    const known = this.#followed.get(organization)
    if (known) return known
    const followed: Followed = {
      listeners: new Set(),
      revisions: new Map(),
      hasBeenSeen: false,
      leaveFleet: this.#options.fleet.onChange(organization, (kind) => this.announce(organization, kind)),
    }
    this.#followed.set(organization, followed)
    return followed
  }

  async #lookOnce(): Promise<void> {
    if (this.#followed.size === 0) return
    const looked = [...this.#followed.values()]
    const revisions = await this.#options.store.organizationRevisions([...this.#followed.keys()])
    for (const { organization, kind, value } of revisions) this.#compare(organization, kind, value)
    for (const followed of looked) followed.hasBeenSeen = true
  }

  #compare(organization: string, kind: ChangeKind, value: number): void {
    const followed = this.#followed.get(organization)
    if (!followed || followed.revisions.get(kind) === value) return
    followed.revisions.set(kind, value)
    if (followed.hasBeenSeen) this.announce(organization, kind)
  }
}
