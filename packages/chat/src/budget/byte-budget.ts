// Shares a fixed number of bytes between organizations and their keys or devices, so that nobody can use up the memory of the process. There
// are no fixed quotas: what a key and its organization hold together may not exceed what stays free. So a key on its own gets up to a third
// and an organization with many keys up to half, everyone gets less while others hold more, and some bytes always stay free for newcomers.

import { PassingMap } from './passing-map.ts'

/** Whose bytes they are. A `Caller` and a `Ticket` are owners too. */
export interface Owner {
  readonly organization: string
  /** Or a device. */
  readonly key: string
}

/** Who holds too much: the key, its organization, or all others together. */
export type Full = 'key' | 'organization' | 'process'

/** Reservations grow in steps, so that most calls of `resize` are a single comparison. */
const STEP_BYTES = 1024

/** What an organization, a key or a device holds. */
interface Account {
  readonly name: string
  bytes: number
}

/** An owner's key or device, and its organization. */
interface Accounts {
  readonly own: Account
  readonly organization: Account
}

export class ByteBudget {
  readonly totalBytes: number
  readonly #mostOfOne: number
  /** Of those that hold something. */
  readonly #organizations = new PassingMap<Account>()
  readonly #keys = new PassingMap<Account>()
  #usedBytes = 0

  /** `mostOfOne` is what one organization may hold, however much is free. */
  constructor(totalBytes: number, mostOfOne = Number.POSITIVE_INFINITY) {
    this.totalBytes = totalBytes
    this.#mostOfOne = mostOfOne
  }

  get usedBytes(): number {
    return this.#usedBytes
  }

  open(owner: Owner): Reservation {
    return new Reservation(this, owner)
  }

  /** For `Reservation` only. */
  accountsOf({ organization, key }: Owner): Accounts {
    return { own: find(this.#keys, key), organization: find(this.#organizations, organization) }
  }

  /** For `Reservation` only. */
  take({ own, organization }: Accounts, bytes: number): Full | undefined {
    if (own.bytes + organization.bytes + 2 * bytes > this.totalBytes - this.#usedBytes - bytes)
      return blame(own.bytes, organization.bytes, this.#usedBytes)
    if (organization.bytes + bytes > this.#mostOfOne) return blame(own.bytes, organization.bytes, organization.bytes)
    this.give({ own, organization }, -bytes)
    return undefined
  }

  /** For `Reservation` only. */
  give({ own, organization }: Accounts, bytes: number): void {
    this.#usedBytes -= bytes
    subtract(this.#keys, own, bytes)
    subtract(this.#organizations, organization, bytes)
  }
}

/** The bytes of one request, reply or device. Release it when they are gone, or they count forever. */
export class Reservation {
  readonly #budget: ByteBudget
  readonly #owner: Owner
  /** Undefined while it holds nothing: as long as it does, the budget doesn't forget them. */
  #accounts: Accounts | undefined
  #reservedBytes = 0
  #isClosed = false

  constructor(budget: ByteBudget, owner: Owner) {
    this.#budget = budget
    this.#owner = owner
  }

  get bytes(): number {
    return this.#reservedBytes
  }

  /** Holds this many bytes from now on. If there is no room, nothing changes, and the result says who holds too much. */
  resize(bytes: number): Full | undefined {
    if (bytes <= this.#reservedBytes && bytes > this.#reservedBytes - STEP_BYTES) return undefined
    if (this.#isClosed) return undefined
    const wanted = Math.ceil(bytes / STEP_BYTES) * STEP_BYTES
    const more = wanted - this.#reservedBytes
    const accounts = this.#accounts ?? this.#budget.accountsOf(this.#owner)
    if (more < 0) this.#budget.give(accounts, -more)
    else {
      const full = this.#budget.take(accounts, more)
      if (full) return full
    }
    this.#reservedBytes = wanted
    this.#accounts = wanted === 0 ? undefined : accounts
    return undefined
  }

  /** Safe to call more than once. */
  release(): void {
    this.resize(0)
  }

  /** Releases it for good: whoever still resizes it afterwards, say for bytes that were on their way, holds nothing. */
  close(): void {
    this.release()
    this.#isClosed = true
  }
}

function find(accounts: PassingMap<Account>, name: string): Account {
  return accounts.get(name) ?? { name, bytes: 0 }
}

function subtract(accounts: PassingMap<Account>, account: Account, bytes: number): void {
  if (account.bytes === 0) accounts.set(account.name, account)
  account.bytes -= bytes
  if (account.bytes === 0) accounts.delete(account.name)
}

/** One that holds at least half holds too much. */
function blame(byKey: number, byOrganization: number, used: number): Full {
  if (byOrganization * 2 < used) return 'process'
  return byKey * 2 < byOrganization ? 'organization' : 'key'
}
