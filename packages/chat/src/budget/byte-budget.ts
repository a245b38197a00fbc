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

/** Holds grow in steps, so that most calls of `resize` are a single comparison. */
const STEP_BYTES = 1024

export class ByteBudget {
  readonly totalBytes: number
  readonly #mostOfOne: number
  readonly #organizations = new PassingMap<number>()
  readonly #keys = new PassingMap<number>()
  #usedBytes = 0

  /** `mostOfOne` is what one organization may hold, however much is free. */
  constructor(totalBytes: number, mostOfOne = Number.POSITIVE_INFINITY) {
    this.totalBytes = totalBytes
    this.#mostOfOne = mostOfOne
  }

  get usedBytes(): number {
    return this.#usedBytes
  }

  open(owner: Owner): Hold {
    return new Hold(this, owner)
  }

  /** For `Hold` only. */
  take({ organization, key }: Owner, bytes: number): Full | undefined {
    const byOrganization = this.#organizations.get(organization) ?? 0
    const byKey = this.#keys.get(key) ?? 0
    if (byKey + byOrganization + 2 * bytes > this.totalBytes - this.#usedBytes - bytes)
      return blame(byKey, byOrganization, this.#usedBytes)
    if (byOrganization + bytes > this.#mostOfOne) return blame(byKey, byOrganization, byOrganization)
    this.#usedBytes += bytes
    this.#organizations.set(organization, byOrganization + bytes)
    this.#keys.set(key, byKey + bytes)
    return undefined
  }

  /** For `Hold` only. */
  give({ organization, key }: Owner, bytes: number): void {
    this.#usedBytes -= bytes
    subtract(this.#organizations, organization, bytes)
    subtract(this.#keys, key, bytes)
  }
}

/** The bytes of one request, reply or device. Release it when they are gone, or they count forever. */
export class Hold {
  readonly #budget: ByteBudget
  readonly #owner: Owner
  #heldBytes = 0
  #isClosed = false

  constructor(budget: ByteBudget, owner: Owner) {
    this.#budget = budget
    this.#owner = owner
  }

  get bytes(): number {
    return this.#heldBytes
  }

  /** Holds this many bytes from now on. If there is no room, nothing changes, and the result says who holds too much. */
  resize(bytes: number): Full | undefined {
    if (bytes <= this.#heldBytes && bytes > this.#heldBytes - STEP_BYTES) return undefined
    if (this.#isClosed) return undefined
    const wanted = Math.ceil(bytes / STEP_BYTES) * STEP_BYTES
    const more = wanted - this.#heldBytes
    if (more < 0) this.#budget.give(this.#owner, -more)
    else {
      const full = this.#budget.take(this.#owner, more)
      if (full) return full
    }
    this.#heldBytes = wanted
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

/** One that holds at least half holds too much. */
function blame(byKey: number, byOrganization: number, used: number): Full {
  if (byOrganization * 2 < used) return 'process'
  return byKey * 2 < byOrganization ? 'organization' : 'key'
}

function subtract(held: PassingMap<number>, name: string, bytes: number): void {
  const left = (held.get(name) ?? 0) - bytes
  if (left > 0) held.set(name, left)
  else held.delete(name)
}
