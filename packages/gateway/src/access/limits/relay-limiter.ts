// Limits how often a device asks for models of other devices, and sends them its own. A copy asks for one piece after another.

import { AttemptLimiter, rejectFor } from './attempt-limiter.ts'

/** Per device. At the full rate of all copies, eight pieces per second come or go. */
export const PIECES = { perMinute: 1_200, burst: 120 }
/** A download asks once, and finding a model costs more than a piece. */
export const MODELS_PER_MINUTE = 60
const TOO_FAST = 'This device copies models too fast.'

export class RelayLimiter {
  readonly #pieces = new AttemptLimiter(PIECES.perMinute, PIECES.burst)
  readonly #models = new AttemptLimiter(MODELS_PER_MINUTE)
  readonly #now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Throws a 429 if the device asks for pieces, or sends them, too often. */
  countPiece(device: string): void {
    rejectFor(this.#pieces.take(device, this.#now()), TOO_FAST)
  }

  /** Throws a 429 if the device looks for models too often. */
  countModel(device: string): void {
    rejectFor(this.#models.take(device, this.#now()), TOO_FAST)
  }
}
