// Limits how often a device asks for models of other devices, and sends them its own. A copy asks for one piece after another.

import { AttemptLimiter } from './attempt-limiter.ts'

/** Per device. At the full rate of all copies, eight pieces per second come or go. */
export const PIECES = { perMinute: 1_200, burst: 120 }
/** A download asks once, and finding a model costs more than a piece. */
export const MODELS_PER_MINUTE = 60
const TOO_FAST = 'This device copies models too fast.'

export class RelayLimiter {
  readonly pieces: AttemptLimiter
  readonly models: AttemptLimiter

  constructor(now?: () => number) {
    this.pieces = new AttemptLimiter(PIECES, TOO_FAST, now)
    this.models = new AttemptLimiter({ perMinute: MODELS_PER_MINUTE }, TOO_FAST, now)
  }
}
