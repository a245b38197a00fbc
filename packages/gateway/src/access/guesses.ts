// Whoever tries secrets is slowed down: by the address they come from, and by what they try to get into.

import { Tries } from './tries.ts'
import { ApiError } from '../errors.ts'

/** So many tries a minute. People mistype; programs that guess need millions. */
const PER_ADDRESS = 20
const PER_TARGET = 10
/** Everybody seems to come from this machine when a proxy runs on it and nobody said so: one of them must not lock out the others. */
const FROM_THIS_MACHINE = 200

export class Guesses {
  readonly #byAddress = new Tries(PER_ADDRESS)
  readonly #fromHere = new Tries(FROM_THIS_MACHINE)
  readonly #byTarget = new Tries(PER_TARGET)
  readonly #news = new Tries(PER_TARGET)
  readonly #now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Throws 429 when there were too many. `target` is what the secret opens, e.g. an account or an organization's codes. */
  count(address: string, target?: string): void {
    const now = this.#now()
    const byAddress = isLoopback(address) ? this.#fromHere : this.#byAddress
    const waitMs = Math.max(
      byAddress.take(networkOf(address), now),
      target === undefined ? 0 : this.#byTarget.take(target, now),
    )
    if (waitMs === 0) return
    const seconds = Math.ceil(waitMs / 1_000)
    throw new ApiError('rate_limit_exceeded', `Too many tries. Try again in ${seconds} s`, null, {
      'retry-after': String(seconds),
    })
  }

  /** Whether to write something down that the one who does it can repeat at will. */
  isNews(what: string): boolean {
    return this.#news.take(what, this.#now()) === 0
  }
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address)
}

/** One customer has a whole IPv6 network: its first half names them. */
function networkOf(address: string): string {
  return address.includes(':') && !address.startsWith('::ffff:') ? address.split(':').slice(0, 4).join(':') : address
}
