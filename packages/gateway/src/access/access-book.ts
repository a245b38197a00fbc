// Who has access to what, in memory: keys by digest, models by organization, devices by credential digest. It is read from the store at
// startup and again whenever a revision changes, so a request never waits for the store. When the store has been silent for too long,
// everyone is rejected: an outage must not keep a revoked key alive.

import { setTimeout as sleep } from 'node:timers/promises'
import type { AccessDevice, AccessKey, AccessModel, KeyLimits, Revisions, Store } from '../store/store.ts'

export interface Caller {
  readonly key: string
  readonly organization: string
  /** Milliseconds since 1970; Infinity if the key never expires. */
  readonly expiresAt: number
  /** The only models the key may use; undefined means all of them. */
  readonly models?: ReadonlySet<string>
  readonly limits?: KeyLimits
}

/** Access that existed before a refresh and is gone now. */
export interface AccessLosses {
  keys: string[]
  models: { organization: string; name: string }[]
  devices: string[]
}

export interface AccessBookOptions {
  store: Pick<Store, 'revisions' | 'accessKeys' | 'accessModels' | 'accessDevices'>
  pollMs: number
  onLosses: (losses: AccessLosses) => void
  /** These devices were paused or resumed. */
  onPauses?: (devices: string[]) => void
  onError: (error: unknown) => void
  now?: () => number
  /** The wall clock, used for expiry. */
  today?: () => number
}

type OrganizationModels = ReadonlyMap<string, AccessModel>

/** How long the store may be silent before requests are rejected. */
const STALE_MS = 5_000
const NO_MODELS: OrganizationModels = new Map()

export class AccessBook {
  readonly #options: AccessBookOptions
  readonly #now: () => number
  readonly #today: () => number
  readonly #closing = new AbortController()
  #revisions: Revisions = { keys: -1, models: -1, devices: -1 }
  #keys = new Map<string, Caller>()
  #live = new Set<string>()
  #models = new Map<string, Map<string, AccessModel>>()
  #devices = new Map<string, AccessDevice>()
  #paused: ReadonlySet<string> = new Set()
  /** Keys that will expire, soonest last. */
  #expiring: Caller[] = []
  #confirmedAt = Number.NEGATIVE_INFINITY
  #refreshing: Promise<void> | undefined

  constructor(options: AccessBookOptions) {
    this.#options = options
    this.#now = options.now ?? (() => performance.now())
    this.#today = options.today ?? Date.now
  }

  get isFresh(): boolean {
    return this.#now() - this.#confirmedAt <= STALE_MS
  }

  caller(keyDigest: string): Caller | undefined {
    return this.#keys.get(keyDigest)
  }

  /** Whether a key that was looked up earlier still works. */
  isLive({ key }: Caller): boolean {
    return this.#live.has(key)
  }

  models(organization: string): OrganizationModels {
    return this.#models.get(organization) ?? NO_MODELS
  }

  device(credentialDigest: string): AccessDevice | undefined {
    return this.#devices.get(credentialDigest)
  }

  isPaused(device: string): boolean {
    return this.#paused.has(device)
  }

  /** Reads whatever changed. Also called right after this process makes a change, so that it takes effect immediately. */
  async refresh(): Promise<void> {
    // A refresh already in progress may have read the revisions before the caller's change: wait for it, then look again.
    await this.#refreshing?.catch(() => undefined)
    this.#refreshing ??= this.#refreshOnce().finally(() => (this.#refreshing = undefined))
    await this.#refreshing
  }

  /** Polls for changes made elsewhere until closed. */
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
      keys: [...(next.keys === before.keys ? [] : await this.#loadKeys()), ...this.#takeExpired()],
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
    this.#keys = new Map(rows.map((row) => [row.digest, toCaller(row)]))
    this.#live = new Set(rows.map(({ id }) => id))
    this.#expiring = [...this.#keys.values()]
      .filter(({ expiresAt }) => expiresAt > this.#today() && expiresAt < Infinity)
      .toSorted((a, b) => b.expiresAt - a.expiresAt)
    return [...before].filter(([digest]) => !this.#keys.has(digest)).map(([, caller]) => caller.key)
  }

  // An expired key is already rejected when it is used; this ends the work it still has in progress.
  #takeExpired(): string[] {
    const expired: string[] = []
    while ((this.#expiring.at(-1)?.expiresAt ?? Infinity) <= this.#today()) expired.push(this.#expiring.pop()!.key)
    return expired
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
    this.#notePauses(new Set(rows.filter(({ isPaused }) => isPaused).map(({ id }) => id)))
    return [...before].filter(([digest]) => !this.#devices.has(digest)).map(([, device]) => device.id)
  }

  #notePauses(paused: ReadonlySet<string>): void {
    const changed = [...paused.symmetricDifference(this.#paused)]
    this.#paused = paused
    if (changed.length > 0) this.#options.onPauses?.(changed)
  }
}

function toCaller({ id, organization, expiresAt, models, limits }: AccessKey): Caller {
  return {
    key: id,
    organization,
    expiresAt: expiresAt?.getTime() ?? Infinity,
    ...(models && { models: new Set(models) }),
    ...(limits && { limits }),
  }
}
