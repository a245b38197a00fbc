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

  constructor({ perNetwork, fromThisMachine }: NetworkLimits) {
    this.#elsewhere = new AttemptLimiter(perNetwork)
    this.#here = new AttemptLimiter(fromThisMachine)
  }

  /** Milliseconds to wait before the next attempt; 0 if this one was counted and may proceed. */
  take(address: string, now: number): number {
    return (isLoopback(address) ? this.#here : this.#elsewhere).take(networkOf(address), now)
  }
}
