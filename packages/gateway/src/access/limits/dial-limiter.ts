// Limits how often devices dial, before anything else is done about a dial. A device that works dials once and stays; one that loses its
// link waits longer each time. Only a broken or hostile one dials without end, and it has to cost next to nothing.

import { AttemptLimiter } from './attempt-limiter.ts'
import { GuessLimiter } from './guess-limiter.ts'

/** Per device: five per second in the long run. No working device needs more than a few in a minute. */
export const DIALS_PER_MINUTE = 300

export class DialLimiter {
  readonly devices: AttemptLimiter
  /** Not the one for people: a machine that dials with an old credential must not keep its whole office from signing in. */
  readonly strangers: GuessLimiter

  constructor(now?: () => number) {
    this.devices = new AttemptLimiter({ perMinute: DIALS_PER_MINUTE }, 'This device connects too often.', now)
    this.strangers = new GuessLimiter(now)
  }
}
