// Limits how often devices dial, before anything else is done about a dial. A device that works dials once and stays; one that loses its
// link waits longer each time. Only a broken or hostile one dials without end, and it has to cost next to nothing.

import { AttemptLimiter, rejectFor } from './attempt-limiter.ts'
import { GuessLimiter } from './guess-limiter.ts'

/** Per device: five per second in the long run. No working device needs more than a few in a minute. */
export const DIALS_PER_MINUTE = 300

export class DialLimiter {
  readonly #devices = new AttemptLimiter(DIALS_PER_MINUTE)
  /** Not the one for people: a machine that dials with an old credential must not keep its whole office from signing in. */
  readonly #strangers: GuessLimiter
  readonly #now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.#strangers = new GuessLimiter(now)
    this.#now = now
  }

  /** Throws a 429 if the device dials too often. */
  countDevice(device: string): void {
    rejectFor(this.#devices.take(device, this.#now()), 'This device connects too often.')
  }

  /** Counts a dial with an unknown credential. Throws a 429 if there were too many from this network. */
  countStranger(address: string): void {
    this.#strangers.count(address)
  }
}
