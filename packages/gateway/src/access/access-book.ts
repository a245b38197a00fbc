// Who may do what, in memory: keys by digest, models by organization, devices by credential digest. Read from the store at the start and
// again whenever a revision moves, so that a request never waits for the store. When the store has not confirmed the book for a while,
// nobody is let in: an outage must not keep a revoked key alive.

import { setTimeout as sleep } from 'node:timers/promises'
import type { AccessDevice, AccessModel, Revisions, Store } from '../store/store.ts'

export interface Caller {
  readonly key: string
  readonly organization: string
  /** Milliseconds since 1970, Infinity when the key never expires. */
  readonly expiresAt: number
}

/** What was allowed before a refresh and is no longer. */
export interface AccessLosses {
  keys: string[]
  models: { organization: string; name: string }[]
  devices: string[]
}

export interface AccessBookOptions {
  store: Pick<Store, 'revisions' | 'accessKeys' | 'accessModels' | 'accessDevices'>
  pollMs: number
  onLosses: (losses: AccessLosses) => void
  onError: (error: unknown) => void
  now?: () => number
}

type OrganizationModels = ReadonlyMap<string, AccessModel>

/** The store may be silent for this long before requests are refused. */
const STALE_MS = 5_000
const NO_MODELS: OrganizationModels = new Map()

export class AccessBook {
  readonly #options: AccessBookOptions
  readonly #now: () => number
  readonly #closing = new AbortController()
  #revisions: Revisions = { keys: -1, models: -1, devices: -1 }
  #keys = new Map<string, Caller>()
  #models = new Map<string, Map<string, AccessModel>>()
  #devices = new Map<string, AccessDevice>()
  #confirmedAt = Number.NEGATIVE_INFINITY
  #refreshing: Promise<void> | undefined

  constructor(options: AccessBookOptions) {
    this.#options = options
    this.#now = options.now ?? (() => performance.now())
  }

  get isFresh(): boolean {
    return this.#now() - this.#confirmedAt <= STALE_MS
  }

  caller(keyDigest: string): Caller | undefined {
    return this.#keys.get(keyDigest)
  }

  models(organization: string): OrganizationModels {
    return this.#models.get(organization) ?? NO_MODELS
  }

  device(credentialDigest: string): AccessDevice | undefined {
    return this.#devices.get(credentialDigest)
  }

  /** Reads what has changed. Also called right after a change made in this process, so that it takes effect at once. */
  async refresh(): Promise<void> {
    // A refresh under way may have read the revisions before the change its caller made: wait for it, then look again.
    await this.#refreshing?.catch(() => undefined)
    this.#refreshing ??= this.#refreshOnce().finally(() => (this.#refreshing = undefined))
    await this.#refreshing
  }

  /** Looks for changes made elsewhere until closed. */
  async follow(): Promise<void> {
    const { signal } = this.#closing
    while (!signal.aborted) {
      await sleep(this.#options.pollMs, undefined, { signal, ref: false }).catch(() => undefined)
      if (!signal.aborted) await this.refresh().catch(this.#options.onError)
    }
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#refreshing?.catch(() => undefined)
  }

  async #refreshOnce(): Promise<void> {
    const askedAt = this.#now()
    const next = await this.#options.store.revisions()
    const before = this.#revisions
    const losses: AccessLosses = {
      keys: next.keys === before.keys ? [] : await this.#loadKeys(),
      models: next.models === before.models ? [] : await this.#loadModels(),
      devices: next.devices === before.devices ? [] : await this.#loadDevices(),
    }
    this.#revisions = next
    this.#confirmedAt = askedAt
    if (losses.keys.length + losses.models.length + losses.devices.length > 0) this.#options.onLosses(losses)
  }

  async #loadKeys(): Promise<string[]> {
    const before = this.#keys
    const rows = await this.#options.store.accessKeys()
    this.#keys = new Map(
      rows.map(({ digest, id, organization, expiresAt }) => [
        digest,
        { key: id, organization, expiresAt: expiresAt?.getTime() ?? Infinity },
      ]),
    )
    return [...before].filter(([digest]) => !this.#keys.has(digest)).map(([, caller]) => caller.key)
  }

  async #loadModels(): Promise<AccessLosses['models']> {
    const before = [...this.#models.values()].flatMap((models) => [...models.values()])
    const rows = Map.groupBy(await this.#options.store.accessModels(), (model) => model.organization)
    this.#models = new Map(
      [...rows].map(([organization, models]) => [organization, new Map(models.map((model) => [model.name, model]))]),
    )
    return before.filter(
      (model) => model.state === 'enabled' && this.models(model.organization).get(model.name)?.state !== 'enabled',
    )
  }

  async #loadDevices(): Promise<string[]> {
    const before = this.#devices
    const rows = await this.#options.store.accessDevices()
    this.#devices = new Map(rows.map((device) => [device.credentialDigest, device]))
    return [...before].filter(([digest]) => !this.#devices.has(digest)).map(([, device]) => device.id)
  }
}
