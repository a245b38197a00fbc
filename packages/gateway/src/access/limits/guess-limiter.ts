// Slows down guessing of passwords, codes and links.
//
// A limit for an account as a whole would let anyone who knows an email address lock its owner out, and no limit for it would let a botnet
// guess without end. So an attempt to sign in counts three times:
// - for the client's network, whatever it tries;
// - for this network at this account, which stops a single attacker long before the next limit;
// - for all strangers at this account together. Strangers are networks that nobody has signed in to this account from.
// A network that did sign in skips the last one: attackers elsewhere cannot use up its attempts. A correct password from a stranger does not
// skip it, because a check that lets right guesses through is no limit. So a botnet can delay its victim's first sign-in at a new place,
// but never at a place they have used before.
//
// Every attempt costs the store a query, and a password costs CPU time too. So attempts from all networks that nobody has signed in from also
// count together.

import { forgetOldest } from '../../forget-oldest.ts'
import { AttemptLimiter, type AttemptLimit } from './attempt-limiter.ts'
import { isLoopback, networkOf } from '../network/client-network.ts'
import { NetworkLimiter } from './network-limiter.ts'

/** Attempts per minute. People mistype a few times; a program that guesses needs millions. */
export const BY_ADDRESS = { perNetwork: 20, fromThisMachine: 200 }
export const PER_TARGET = 10
/** Three networks that try as fast as they may. */
export const STRANGERS_PER_ACCOUNT = 30
/** From all networks that nobody has signed in from. */
export const STRANGERS = { perMinute: 300, burst: 100 }
const TOO_MANY = 'Too many attempts.'
/** Beyond this many, the places with the oldest sign-ins are forgotten. */
const MAX_KNOWN = 10_000

export class GuessLimiter {
  readonly #onRejected: () => void
  readonly #byAddress: NetworkLimiter
  readonly #byTarget: AttemptLimiter
  readonly #byStrangers: AttemptLimiter
  readonly #strangers: AttemptLimiter
  readonly #records: AttemptLimiter
  /** Account and network of successful sign-ins, the latest last. */
  readonly #known = new Set<string>()
  /** The networks of these. */
  readonly #knownNetworks = new Set<string>()

  /** `onRejected` is called for each attempt that is one too many. */
  constructor(now?: () => number, onRejected = () => {}) {
    this.#onRejected = onRejected
    const limiter = (limit: AttemptLimit) => new AttemptLimiter(limit, TOO_MANY, now)
    this.#byAddress = new NetworkLimiter(BY_ADDRESS, TOO_MANY, now)
    this.#byTarget = limiter({ perMinute: PER_TARGET })
    this.#byStrangers = limiter({ perMinute: STRANGERS_PER_ACCOUNT })
    this.#strangers = limiter(STRANGERS)
    this.#records = limiter({ perMinute: PER_TARGET })
  }

  /** Throws a 429 after too many attempts. A `target` is something that only its owner can attempt, such as the codes of a signed-in person. */
  count(address: string, target?: string): void {
    this.#check(() => {
      this.#byAddress.count(address)
      if (target !== undefined) this.#byTarget.count(target)
      else this.#countStranger(address)
    })
  }

  /** Throws a 429 after too many attempts to sign in to an account, which anyone can make. */
  countSignIn(address: string, email: string): void {
    this.#check(() => {
      const place = placeOf(address, email)
      this.#byAddress.count(address)
      this.#byTarget.count(place)
      if (!this.#known.has(place)) this.#byStrangers.count(email.toLowerCase())
      this.#countStranger(address)
    })
  }

  /** Remembers where someone signed in completely, second factor included. */
  signedIn(address: string, email: string): void {
    addLatest(this.#known, placeOf(address, email))
    addLatest(this.#knownNetworks, networkOf(address))
  }

  /** Limits audit entries for events that a client can repeat at will. */
  mayRecord(event: string): boolean {
    return this.#records.take(event) === 0
  }

  #check(count: () => void): void {
    try {
      count()
    } catch (error) {
      this.#onRejected()
      throw error
    }
  }

  #countStranger(address: string): void {
    const isExempt = isLoopback(address) || this.#knownNetworks.has(networkOf(address))
    if (!isExempt) this.#strangers.count('')
  }
}

function addLatest(names: Set<string>, name: string): void {
  names.delete(name)
  names.add(name)
  forgetOldest(names, MAX_KNOWN)
}

function placeOf(address: string, email: string): string {
  return `${networkOf(address)} ${email.toLowerCase()}`
}
