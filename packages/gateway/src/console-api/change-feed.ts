// What has changed in an organization, for pages that show it: only which kind of thing, never what. Changes in the store are found by
// their revisions, whoever made them; devices coming and going, and how busy they are, are known here. Nothing is asked while nobody
// listens.

import type { Scheduler } from '../scheduler/scheduler.ts'
import type { ChangeKind, Store } from '../store/store.ts'

export type LiveKind = ChangeKind | 'usage'
type Listener = (kind: LiveKind) => void

export interface ChangeFeedOptions {
  store: Pick<Store, 'organizationRevisions'>
  scheduler: Pick<Scheduler, 'core'>
  pollMs: number
  onError: (error: unknown) => void
}

export class ChangeFeed {
  readonly #options: ChangeFeedOptions
  readonly #listeners = new Map<string, Set<Listener>>()
  readonly #timer: NodeJS.Timeout
  /** Revisions and load as they were last seen, by organization. */
  readonly #seen = new Map<string, Map<string, number | string>>()
  #looking: Promise<void> | undefined

  constructor(options: ChangeFeedOptions) {
    this.#options = options
    this.#timer = setInterval(() => void this.look(), options.pollMs).unref()
  }

  /** Call what comes back to stop listening. */
  listen(organization: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(organization) ?? new Set()
    this.#listeners.set(organization, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size > 0 || this.#listeners.get(organization) !== listeners) return
      this.#listeners.delete(organization)
      this.#seen.delete(organization)
    }
  }

  announce(organization: string, kind: LiveKind): void {
    for (const listener of this.#listeners.get(organization) ?? []) listener(kind)
  }

  /** Afterwards every change from now on is heard by those who listen. */
  async look(): Promise<void> {
    await this.#looking
    this.#looking ??= this.#lookOnce().finally(() => (this.#looking = undefined))
    await this.#looking
  }

  async #lookOnce(): Promise<void> {
    if (this.#listeners.size === 0) return
    // What is seen at the first look at an organization is no change: whoever begins to listen reads everything then.
    const known = new Set(this.#seen.keys())
    try {
      await this.#lookAtStore(known)
      this.#lookAtLoad(known)
    } catch (error) {
      this.#options.onError(error)
    }
  }

  close(): void {
    clearInterval(this.#timer)
    this.#listeners.clear()
  }

  async #lookAtStore(known: ReadonlySet<string>): Promise<void> {
    const revisions = await this.#options.store.organizationRevisions([...this.#listeners.keys()])
    for (const { organization, kind, value } of revisions)
      if (this.#isNew(organization, kind, value) && known.has(organization)) this.announce(organization, kind)
  }

  #lookAtLoad(known: ReadonlySet<string>): void {
    const { served, queues } = this.#options.scheduler.core.stats(performance.now())
    for (const organization of this.#listeners.keys()) {
      const running = served.filter((one) => one.organization === organization).map((one) => one.leases)
      const queued = queues.filter((one) => one.organization === organization).map((one) => one.queued)
      if (this.#isNew(organization, 'load', `${running.join()} ${queued.join()}`) && known.has(organization))
        for (const kind of ['devices', 'models'] as const) this.announce(organization, kind)
    }
  }

  #isNew(organization: string, name: string, value: number | string): boolean {
    const seen = this.#seen.get(organization) ?? new Map<string, number | string>()
    const before = seen.get(name)
    this.#seen.set(organization, seen.set(name, value))
    return before !== value
  }
}
