// Limits the calls of devices that want to join, before they reach the store: nobody knows yet who makes them. One network gets what a room
// full of machines needs, and all networks together get no more than the embedded database can take beside its other work.

import { ApiError, retryAfter } from '@hearth/chat'
import { AttemptLimiter, rejectFor } from './attempt-limiter.ts'
import { NetworkLimiter } from './network-limiter.ts'

/** Calls per minute. A device that waits for approval makes twelve. */
export const LIMITS = { perNetwork: 300, fromThisMachine: 1_200 }
export const ALTOGETHER = { perMinute: 6_000, burst: 300 }

export class JoinLimiter {
  readonly #byNetwork = new NetworkLimiter(LIMITS)
  readonly #altogether = new AttemptLimiter(ALTOGETHER.perMinute, ALTOGETHER.burst)
  readonly #now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  count(address: string): void {
    const now = this.#now()
    rejectFor(this.#byNetwork.take(address, now), 'Too many devices are joining from your network.')
    const crowdedMs = this.#altogether.take('', now)
    if (crowdedMs > 0)
      throw new ApiError('service_unavailable', 'Too many devices are joining right now.', null, retryAfter(crowdedMs))
  }
}
