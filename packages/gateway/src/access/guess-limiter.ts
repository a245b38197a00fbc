// Slows down guessing of passwords, codes and links: by client address, and by the account or organization under attack.

import { AttemptLimiter } from './attempt-limiter.ts'
import { ApiError } from '../errors.ts'

/** Attempts per minute. People mistype a few times; a program that guesses needs millions. */
const PER_ADDRESS = 20
const PER_TARGET = 10
/** Behind a local proxy that was not configured, everyone seems to come from this machine: one person must not lock out the others. */
const FROM_THIS_MACHINE = 200

export class GuessLimiter {
  readonly #byAddress = new AttemptLimiter(PER_ADDRESS)
  readonly #fromHere = new AttemptLimiter(FROM_THIS_MACHINE)
  readonly #byTarget = new AttemptLimiter(PER_TARGET)
  readonly #records = new AttemptLimiter(PER_TARGET)
  readonly #now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Throws a 429 after too many attempts. `target` is what the secret would open, such as an account or an organization's codes. */
  count(address: string, target?: string): void {
    const now = this.#now()
    const byAddress = isLoopback(address) ? this.#fromHere : this.#byAddress
    const waitMs = Math.max(
      byAddress.take(networkOf(address), now),
      target === undefined ? 0 : this.#byTarget.take(target, now),
    )
    if (waitMs === 0) return
    const seconds = Math.ceil(waitMs / 1_000)
    throw new ApiError('rate_limit_exceeded', `Too many attempts. Try again in ${seconds} s.`, null, {
      'retry-after': String(seconds),
    })
  }

  /** Limits audit entries for events that a client can repeat at will. */
  mayRecord(event: string): boolean {
    return this.#records.take(event, this.#now()) === 0
  }
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address)
}

/** A single IPv6 customer usually has a whole /64 network, so the first half of the address identifies them. */
function networkOf(address: string): string {
  return address.includes(':') && !address.startsWith('::ffff:') ? address.split(':').slice(0, 4).join(':') : address
}
