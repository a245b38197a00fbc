import type { AccessKey, KeyLimits, Place } from '../store/store.ts'
import { Expiries } from './expiries.ts'
import type { KnownRows } from './followed-table.ts'

export interface Caller {
  readonly key: string
  readonly organization: string
  /** Milliseconds since 1970; Infinity if the key never expires. */
  readonly expiresAt: number
  /** The only models the key may use; undefined means all of them. */
  readonly models?: ReadonlySet<string>
  readonly limits?: KeyLimits
  /** The organization wants devices to reuse no prompts of other keys. */
  readonly separatesPrefixes?: boolean
}

export class KnownKeys implements KnownRows<AccessKey> {
  readonly #callers = new Map<string, Caller>()
  /** The digest of each key. */
  readonly #digests = new Map<string, string>()
  readonly #expiries: Expiries
  readonly #today: () => number
  readonly #onLost: (key: string) => void

  constructor(today: () => number, onLost: (key: string) => void) {
    this.#expiries = new Expiries(today())
    this.#today = today
    this.#onLost = onLost
  }

  caller(digest: string): Caller | undefined {
    return this.#callers.get(digest)
  }

  has(key: string): boolean {
    return this.#digests.has(key)
  }

  put(row: AccessKey): void {
    const caller = toCaller(row)
    if (caller.expiresAt <= this.#today()) return this.drop(row)
    if (this.#digests.get(row.id) !== row.digest) this.drop(row)
    this.#callers.set(row.digest, caller)
    this.#digests.set(row.id, row.digest)
    if (caller.expiresAt < Infinity) this.#expiries.add(row.id, caller.expiresAt)
  }

  drop({ id }: Pick<Place, 'id'>): void {
    const digest = this.#digests.get(id)
    if (digest === undefined) return
    if (this.#callers.get(digest)?.key === id) this.#callers.delete(digest)
    this.#digests.delete(id)
    this.#onLost(id)
  }

  /** An expired key is already rejected when it is used; this ends the work it still has in progress. */
  dropExpired(): void {
    for (const id of this.#expiries.take(this.#today())) {
      const caller = this.#callers.get(this.#digests.get(id) ?? '')
      if (caller && caller.expiresAt <= this.#today()) this.drop({ id })
    }
  }

  placeOf({ organization, id }: AccessKey): Place {
    return { organization, id }
  }

  *places(): Iterable<Place> {
    for (const { organization, key } of this.#callers.values()) yield { organization, id: key }
  }
}

function toCaller({ id, organization, expiresAt, models, limits, separatesPrefixes }: AccessKey): Caller {
  return {
    key: id,
    organization,
    expiresAt: expiresAt?.getTime() ?? Infinity,
    ...(models && { models: new Set(models) }),
    ...(limits && { limits }),
    ...(separatesPrefixes && { separatesPrefixes }),
  }
}
