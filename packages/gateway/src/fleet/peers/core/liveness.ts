// Whom this gateway hears on the bus. A gateway is silent if it is missing while others are heard, or this one hears itself: its own
// heartbeats come back to it. So nobody becomes silent when the bus is gone.

import { forgetOldest } from '../../../forget-oldest.ts'
import type { Heartbeat } from '../heartbeat.ts'
import type { Timing } from './timing.ts'

/** Somebody who makes up more of them could make this gateway hear nobody, which is safe: it counts on nobody's word then. */
export const MOST_HEARD = 1_024

export class Liveness {
  readonly #timing: Timing
  /** The newest heartbeat of each gateway, and when it was last heard. */
  readonly #heard = new Map<number, { last: Heartbeat; at: number }>()
  /** When it last heard anybody. */
  #anyAt = -Infinity
  /** The end of the last break in which it heard nobody. */
  #since = -Infinity

  constructor(timing: Timing) {
    this.#timing = timing
  }

  /** Returns the heartbeat of the same gateway before this one. */
  hear(heartbeat: Heartbeat, now: number): Heartbeat | undefined {
    // After a break, everybody gets the same time to be heard again.
    if (now - this.#anyAt > 2 * this.#timing.renewMs) this.#since = now
    this.#anyAt = now
    const last = this.last(heartbeat.number)
    const isNewer = !last || last.sequence < heartbeat.sequence
    this.#heard.set(heartbeat.number, { last: isNewer ? heartbeat : last, at: now })
    // The numbers of gateways that don't exist are forgotten with the next view, which may be far away without the database.
    forgetOldest(this.#heard, MOST_HEARD)
    return last
  }

  /** Its own connection is gone, so its heartbeats don't come back. */
  lose(self: number): void {
    this.#heard.delete(self)
  }

  last(number: number): Heartbeat | undefined {
    return this.#heard.get(number)?.last
  }

  /** Those of the peers that it hears. It hears itself only if its own heartbeats still come back. */
  list(peers: readonly number[], self: number, now: number): number[] {
    return peers.filter((number) => (number === self ? this.#isHeard(number, now) : this.#isAudible(number)))
  }

  /** Forgets everybody else. */
  keep(peers: ReadonlySet<number>): void {
    for (const number of this.#heard.keys()) if (!peers.has(number)) this.#heard.delete(number)
  }

  #isHeard(number: number, now: number): boolean {
    return now - (this.#heard.get(number)?.at ?? -Infinity) <= this.#timing.silentMs
  }

  #isAudible(number: number): boolean {
    const heard = this.#heard.get(number)
    return heard !== undefined && this.#anyAt - Math.max(heard.at, this.#since) <= this.#timing.silentMs
  }
}
