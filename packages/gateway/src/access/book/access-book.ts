// Who has access to what, in memory: keys by digest, models by organization, devices by credential digest. It is read from the store at
// startup and follows every change that the store announces, so a request never waits for the store. While the store is silent, the book
// stays valid for a limited time only: an outage must not keep a revoked key alive.

import { setTimeout as sleep } from 'node:timers/promises'
import type { ModelDefaults } from '@hearth/protocol'
import type { AccessDevice } from '../../store/revisions/access-rows.ts'
import type { AccessWatch } from '../../store/revisions/announcements.ts'
import type { Store } from '../../store/store.ts'
import { FollowedTable } from './followed-table.ts'
import { KnownDevices } from './known-devices.ts'
import { KnownKeys, type Caller } from './known-keys.ts'
import { KnownModels, type OrganizationModels } from './known-models.ts'
import { RecentDigests } from './recent-digests.ts'

export type { Caller } from './known-keys.ts'

/** Access that existed before a refresh and is gone now. */
export interface AccessLosses {
  keys: string[]
  models: ModelKey[]
  devices: string[]
}

export interface ModelKey {
  organization: string
  name: string
}

type FollowedStore = Pick<
  Store,
  | 'revisions'
  | 'keyPage'
  | 'modelPage'
  | 'devicePage'
  | 'changedKeys'
  | 'changedModels'
  | 'changedDevices'
  | 'watchAccess'
>

export interface AccessBookOptions {
  store: FollowedStore
  /** Changes are announced. This is for those whose announcement was lost, and to know that the store still answers. */
  pollMs: number
  /** How long the book stays valid without an answer from the store. */
  graceMs: number
  /** Resolves once the other gateways have read the change too. */
  tellOthers?: () => Promise<void>
  /** Keys have other budgets than before. The change counts as read once this resolves. */
  onBudgets?: () => Promise<void>
  onError: (error: unknown) => void
  now?: () => number
  /** The wall clock, used for expiry. */
  today?: () => number
}

/** Gets what a refresh has changed. */
export interface AccessListener {
  lost: (losses: AccessLosses) => void
  /** These devices were paused or resumed. */
  paused: (devices: string[]) => void
  /** The defaults of these models changed. */
  defaultsChanged: (models: ModelKey[]) => void
}

/** A shorter silence is not worth mentioning: the store is busy, or restarting. */
const SILENT_MS = 5_000

export class AccessBook {
  readonly digests = new RecentDigests()
  readonly #options: AccessBookOptions
  readonly #now: () => number
  readonly #closing = new AbortController()
  readonly #keys: KnownKeys
  readonly #models: KnownModels
  readonly #devices: KnownDevices
  readonly #tables: ReturnType<typeof followTables>
  #listener: AccessListener | undefined
  #losses = noLosses()
  #pauses: string[] = []
  #changedDefaults: ModelKey[] = []
  #confirmedAt = Number.NEGATIVE_INFINITY
  #refreshing: Promise<void> | undefined
  #watch: AccessWatch | undefined

  constructor(options: AccessBookOptions) {
    this.#options = options
    this.#now = options.now ?? (() => performance.now())
    this.#keys = new KnownKeys(options.today ?? Date.now, (key) => this.#losses.keys.push(key))
    this.#models = new KnownModels({
      onLost: (model) => this.#losses.models.push(model),
      onDefaults: (organization, name) => this.#changedDefaults.push({ organization, name }),
    })
    this.#devices = new KnownDevices({
      onLost: (device) => this.#losses.devices.push(device),
      onPause: (device) => this.#pauses.push(device),
    })
    this.#tables = followTables(options.store, this.#keys, this.#models, this.#devices)
  }

  /** One listener, set before the first refresh. */
  listen(listener: AccessListener): void {
    this.#listener = listener
  }

  /** Whether the book is still valid. */
  get isFresh(): boolean {
    return this.silentMs <= this.#options.graceMs
  }

  /** How long ago the store confirmed what is in here. */
  get silentMs(): number {
    return this.#now() - this.#confirmedAt
  }

  /** Whether there is no point in asking the store for anything. */
  get isStoreSilent(): boolean {
    return this.silentMs > SILENT_MS
  }

  caller(keyDigest: string): Caller | undefined {
    return this.#keys.caller(keyDigest)
  }

  /** Undefined if the key has no budget, or no longer works. */
  budgetsOf(key: string): Caller['budgets'] {
    return this.#keys.budgetsOf(key)
  }

  /** Whether a key that was looked up earlier still works. */
  isLive({ key }: Caller): boolean {
    return this.#keys.has(key)
  }

  models(organization: string): OrganizationModels {
    return this.#models.of(organization)
  }

  /** The model's values for fields that a request leaves out. */
  defaultsOf(organization: string, model: string): ModelDefaults | undefined {
    return this.#models.defaults.of(organization, model)
  }

  templatedModels(organization: string): string[] {
    return this.#models.defaults.templated(organization)
  }

  device(credentialDigest: string): AccessDevice | undefined {
    return this.#devices.withCredential(credentialDigest)
  }

  /** Undefined if there is no such device. */
  deviceName(device: string): string | undefined {
    return this.#devices.nameOf(device)
  }

  isPaused(device: string): boolean {
    return this.#devices.isPaused(device)
  }

  /** Right after this process has made a change: it takes effect here and on the other gateways. */
  async changed(): Promise<void> {
    await Promise.all([this.refresh(), this.#options.tellOthers?.()])
  }

  /** Reads whatever changed. */
  async refresh(): Promise<void> {
    // A refresh already in progress may have read the revisions before the caller's change: wait for it, then look again. Whoever began it
    // hears of its error.
    await this.#refreshing?.catch(() => undefined)
    this.#refreshing ??= this.#refreshOnce().finally(() => (this.#refreshing = undefined))
    await this.#refreshing
  }

  /** Follows changes made elsewhere until closed. */
  async follow(): Promise<void> {
    const { signal } = this.#closing
    const { store, onError } = this.#options
    const onChange = () => void this.refresh().catch(onError)
    this.#watch = await store.watchAccess({ onChange, onError })
    while (!signal.aborted) {
      await sleep(this.#options.pollMs, undefined, { signal, ref: false }).catch(() => undefined)
      if (!signal.aborted) await this.refresh().catch(onError)
    }
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#watch?.close()
    await this.#refreshing?.catch(() => undefined)
  }

  async #refreshOnce(): Promise<void> {
    const askedAt = this.#now()
    try {
      const revisions = await this.#options.store.revisions()
      await this.#tables.keys.catchUp(revisions.keys)
      if (this.#keys.hasNewBudgets) await this.#options.onBudgets?.()
      this.#keys.hasNewBudgets = false
      await this.#tables.models.catchUp(revisions.models)
      await this.#tables.devices.catchUp(revisions.devices)
      this.#confirmedAt = askedAt
      this.#watch?.known(revisions)
    } finally {
      // During an outage too: keys expire, and rows that were read before an error count.
      this.#keys.dropExpired()
      this.#report()
    }
  }

  #report(): void {
    const [losses, pauses, defaults] = [this.#losses, this.#pauses, this.#changedDefaults]
    this.#losses = noLosses()
    this.#pauses = []
    this.#changedDefaults = []
    if (defaults.length > 0) this.#listener?.defaultsChanged(defaults)
    if (pauses.length > 0) this.#listener?.paused(pauses)
    if (losses.keys.length + losses.models.length + losses.devices.length > 0) this.#listener?.lost(losses)
  }
}

function noLosses(): AccessLosses {
  return { keys: [], models: [], devices: [] }
}

function followTables(store: FollowedStore, keys: KnownKeys, models: KnownModels, devices: KnownDevices) {
  return {
    keys: new FollowedTable({ page: store.keyPage, changes: store.changedKeys }, keys),
    models: new FollowedTable({ page: store.modelPage, changes: store.changedModels }, models),
    devices: new FollowedTable({ page: store.devicePage, changes: store.changedDevices }, devices),
  }
}
