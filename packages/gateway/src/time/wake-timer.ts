// Wakes a scheduler at its next deadline. The timer is only moved to an earlier one: waking too early costs one empty tick, which is cheaper
// than moving it for every job.

import type { Clock } from './clock.ts'

export class WakeTimer {
  readonly #clock: Clock
  readonly #wake: () => void
  #cancel = () => {}
  #wakesAt = Number.POSITIVE_INFINITY

  constructor(clock: Clock, wake: () => void) {
    this.#clock = clock
    this.#wake = wake
  }

  wakeBy(deadline: number | undefined): void {
    if (deadline === undefined || deadline >= this.#wakesAt) return
    this.#cancel()
    this.#wakesAt = deadline
    const ms = Math.max(1, Math.ceil(deadline - this.#clock.now()))
    this.#cancel = this.#clock.after(ms, () => this.#wakeAfterReading())
  }

  stop(): void {
    this.#cancel()
  }

  // If this process was held up, answers of devices may be waiting to be read: nobody is late before they were.
  #wakeAfterReading(): void {
    this.#cancel = this.#clock.after(0, () => {
      this.#wakesAt = Number.POSITIVE_INFINITY
      this.#wake()
    })
  }
}
