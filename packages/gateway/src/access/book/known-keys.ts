import type { AccessKey, RowKey } from '../../store/revisions/access-rows.ts'
import { Expiries } from './expiries.ts'
import type { KnownRows } from './followed-table.ts'

export interface Caller {
  readonly key: string
  readonly organization: string
  /** Milliseconds since 1970; Infinity if the key never expires. */
  readonly expiresAt: number
  /** The only models the key may use; undefined means all of them. */
  readonly models?: ReadonlySet<string>
  readonly limits?: NonNullable<AccessKey['limits']>
  readonly budgets?: NonNullable<AccessKey['budgets']>
  /** The organization wants devices to reuse no prompts of other keys. */
  readonly separatesPrefixes?: boolean
  /** Whether the organization seals its requests; undefined means off. */
  readonly sealing?: 'optional' | 'required'
}

/** The digests of a key's secrets: after a rotation, the one before may still work. */
interface Digests {
  current: string
  previous: string | undefined
}

export class KnownKeys implements KnownRows<AccessKey> {
  /** Some key has budgets that it did not have when this was last set to false. */
  hasNewBudgets = false
  readonly #callers = new Map<string, Caller>()
  readonly #digests = new Map<string, Digests>()
  /** By key: most have none, and every job asks. */
  readonly #budgets = new Map<string, NonNullable<Caller['budgets']>>()
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

  budgetsOf(key: string): Caller['budgets'] {
    return this.#budgets.get(key)
  }

  put(row: AccessKey): void {
    const caller = toCaller(row)
    if (caller.expiresAt <= this.#today()) return this.drop(row)
    if (row.budgets && JSON.stringify(row.budgets) !== JSON.stringify(this.budgetsOf(row.id))) this.hasNewBudgets = true
    const known = this.#digests.get(row.id)
    // A secret that was replaced at once takes its running jobs with it.
    if (known && known.current !== row.digest && known.current !== row.previous?.digest) this.drop(row)
    else if (known?.previous !== undefined && known.previous !== row.previous?.digest) this.#forget(known.previous, row)
    this.#callers.set(row.digest, caller)
    if (row.budgets) this.#budgets.set(row.id, row.budgets)
    else this.#budgets.delete(row.id)
    if (row.previous) this.#callers.set(row.previous.digest, untilThen(caller, row.previous.endsAt))
    this.#digests.set(row.id, { current: row.digest, previous: row.previous?.digest })
    if (caller.expiresAt < Infinity) this.#expiries.add(row.id, caller.expiresAt)
  }

  drop({ id }: Pick<RowKey, 'id'>): void {
    const digests = this.#digests.get(id)
    if (digests === undefined) return
    this.#forget(digests.current, { id })
    if (digests.previous !== undefined) this.#forget(digests.previous, { id })
    this.#digests.delete(id)
    this.#budgets.delete(id)
    this.#onLost(id)
  }

  /** An expired key is already rejected when it is used; this ends the work it still has in progress. */
  dropExpired(): void {
    for (const id of this.#expiries.take(this.#today())) {
      const caller = this.#callers.get(this.#digests.get(id)?.current ?? '')
      if (caller && caller.expiresAt <= this.#today()) this.drop({ id })
    }
  }

  #forget(digest: string, { id }: Pick<RowKey, 'id'>): void {
    if (this.#callers.get(digest)?.key === id) this.#callers.delete(digest)
  }

  keyOf({ organization, id }: AccessKey): RowKey {
    return { organization, id }
  }

  *keys(): Iterable<RowKey> {
    for (const { organization, key } of this.#callers.values()) yield { organization, id: key }
  }
}

/** The same caller with a secret that ends sooner. */
function untilThen(caller: Caller, endsAt: Date): Caller {
  return { ...caller, expiresAt: Math.min(caller.expiresAt, endsAt.getTime()) }
}

function toCaller(row: AccessKey): Caller {
  const { id, organization, expiresAt, models, limits, budgets, separatesPrefixes, sealing } = row
  return {
    key: id,
    organization,
    expiresAt: expiresAt?.getTime() ?? Infinity,
    ...(models && { models: new Set(models) }),
    ...(limits && { limits }),
    ...(budgets && { budgets }),
    ...(separatesPrefixes && { separatesPrefixes }),
    ...(sealing && { sealing }),
  }
}
