// Limits how often something may come from one network. This machine gets more than others: behind a local proxy that was
// not configured, everyone seems to come from it, and one person must not lock out the rest.

import { AttemptLimiter } from './attempt-limiter.ts'
import { isLoopback, networkOf } from '../network/client-network.ts'

export interface NetworkLimits {
  /** Per minute. */
  perNetwork: number
  fromThisMachine: number
}

export class NetworkLimiter {
  readonly #elsewhere: AttemptLimiter
  readonly #here: AttemptLimiter

  constructor({ perNetwork, fromThisMachine }: NetworkLimits, reason: string, now?: () => number) {
    this.#elsewhere = new AttemptLimiter({ perMinute: perNetwork }, reason, now)
    this.#here = new AttemptLimiter({ perMinute: fromThisMachine }, reason, now)
  }

  /** Throws a 429 that says when to try again, unless this attempt may proceed. */
  count(address: string): void {
    const limiter = isLoopback(address) ? this.#here : this.#elsewhere
    limiter.count(networkOf(address))
  }
}
