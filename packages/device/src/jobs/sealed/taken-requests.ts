// The sealed requests that this device took. Each is taken once, and remembered for as long as it could be taken again.

import type { SealedHeader } from '@hearth/sealing'

/** Those of five minutes, even on a device that takes two hundred a second. */
export const MAX_TAKEN = 65_536

/** A job waits in the gateway, and clocks differ a little. */
const FRESH_MS = 5 * 60_000
/** A reply that began on another device may have taken its time. */
const BEGUN_FRESH_MS = 60 * 60_000

/** `stale`: sealed too long ago, or in the future. `full`: so many were taken that one more could not be remembered. */
export type NotTaken = 'stale' | 'taken-before' | 'full'

export interface SealedAttempt extends Pick<SealedHeader, 'id' | 'sealedAt'> {
  attempt: number
  /** Another device began the reply. */
  isBegun: boolean
}

export class TakenRequests {
  readonly #now: () => number
  /** When each can be forgotten. */
  readonly #until = new Map<string, number>()

  /** `now` is the wall clock, which clients have too. */
  constructor(now: () => number) {
    this.#now = now
  }

  /** Undefined if it is taken from now on. */
  take({ id, sealedAt, attempt, isBegun }: SealedAttempt): NotTaken | undefined {
    const now = this.#now()
    const untilMs = sealedAt + (isBegun ? BEGUN_FRESH_MS : FRESH_MS)
    if (now > untilMs || sealedAt - now > FRESH_MS) return 'stale'
    const key = `${attempt} ${id}`
    if (this.#until.has(key)) return 'taken-before'
    if (this.#until.size >= MAX_TAKEN) this.#forgetOld(now)
    if (this.#until.size >= MAX_TAKEN) return 'full'
    this.#until.set(key, untilMs)
    return undefined
  }

  #forgetOld(now: number): void {
    for (const [key, untilMs] of this.#until) if (now > untilMs) this.#until.delete(key)
  }
}
