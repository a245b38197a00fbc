// Limits the calls of devices that want to join, before they reach the store: nobody knows yet who makes them. One network gets what a room
// full of machines needs, and all networks together get no more than the embedded database can take beside its other work.

import { ApiError, retryAfter } from '@hearth/chat'
import { AttemptLimiter } from './attempt-limiter.ts'
import { NetworkLimiter } from './network-limiter.ts'

/** Calls per minute. A device that waits for approval makes twelve. */
export const LIMITS = { perNetwork: 300, fromThisMachine: 1_200 }
export const ALTOGETHER = { perMinute: 6_000, burst: 300 }
const CROWDED = 'Too many devices are joining right now.'

export class JoinLimiter {
  readonly #byNetwork: NetworkLimiter
  readonly #altogether: AttemptLimiter

  constructor(now?: () => number) {
    this.#byNetwork = new NetworkLimiter(LIMITS, 'Too many devices are joining from your network.', now)
    this.#altogether = new AttemptLimiter(ALTOGETHER, CROWDED, now)
  }

  count(address: string): void {
    this.#byNetwork.count(address)
    const waitMs = this.#altogether.take('')
    if (waitMs > 0) throw new ApiError('service_unavailable', CROWDED, null, retryAfter(waitMs))
  }
}
