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
import { AttemptLimiter, rejectFor } from './attempt-limiter.ts'
import { isLoopback, networkOf } from '../network/client-network.ts'
import { NetworkLimiter } from './network-limiter.ts'

/** Attempts per minute. People mistype a few times; a program that guesses needs millions. */
export const BY_ADDRESS = { perNetwork: 20, fromThisMachine: 200 }
export const PER_TARGET = 10
/** Three networks that try as fast as they may. */
export const STRANGERS_PER_ACCOUNT = 30
/** From all networks that nobody has signed in from. */
export const STRANGERS = { perMinute: 300, burst: 100 }
/** Beyond this many, the places with the oldest sign-ins are forgotten. */
const MAX_KNOWN = 10_000

export class GuessLimiter {
  readonly #byAddress = new NetworkLimiter(BY_ADDRESS)
  readonly #byTarget = new AttemptLimiter(PER_TARGET)
  readonly #byStrangers = new AttemptLimiter(STRANGERS_PER_ACCOUNT)
  readonly #strangers = new AttemptLimiter(STRANGERS.perMinute, STRANGERS.burst)
  readonly #records = new AttemptLimiter(PER_TARGET)
  /** Account and network of successful sign-ins, the latest last. */
  readonly #known = new Set<string>()
  /** The networks of these. */
  readonly #knownNetworks = new Set<string>()
  readonly #now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Throws a 429 after too many attempts. A `target` is something that only its owner can attempt, such as the codes of a signed-in person. */
  count(address: string, target?: string): void {
    const now = this.#now()
    reject(this.#byAddress.take(address, now))
    if (target !== undefined) reject(this.#byTarget.take(target, now))
    else reject(this.#takeStranger(address, now))
  }

  /** Throws a 429 after too many attempts to sign in to an account, which anyone can make. */
  countSignIn(address: string, email: string): void {
    const now = this.#now()
    const place = placeOf(address, email)
    reject(this.#byAddress.take(address, now))
    reject(this.#byTarget.take(place, now))
    if (!this.#known.has(place)) reject(this.#byStrangers.take(email.toLowerCase(), now))
    reject(this.#takeStranger(address, now))
  }

  /** Remembers where someone signed in completely, second factor included. */
  signedIn(address: string, email: string): void {
    addLatest(this.#known, placeOf(address, email))
    addLatest(this.#knownNetworks, networkOf(address))
  }

  /** Limits audit entries for events that a client can repeat at will. */
  mayRecord(event: string): boolean {
    return this.#records.take(event, this.#now()) === 0
  }

  #takeStranger(address: string, now: number): number {
    const isExempt = isLoopback(address) || this.#knownNetworks.has(networkOf(address))
    return isExempt ? 0 : this.#strangers.take('', now)
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

function reject(waitMs: number): void {
  rejectFor(waitMs, 'Too many attempts.')
}
