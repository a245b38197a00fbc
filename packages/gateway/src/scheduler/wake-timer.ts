// Wakes a scheduler at its next deadline. The timer is only moved to an earlier one: waking too early costs one empty tick, which is cheaper
// than moving it for every job.

export class WakeTimer {
  readonly #now: () => number
  readonly #wake: () => void
  #timer: NodeJS.Timeout | undefined
  #immediate: NodeJS.Immediate | undefined
  #wakesAt = Number.POSITIVE_INFINITY

  constructor(now: () => number, wake: () => void) {
    this.#now = now
    this.#wake = wake
  }

  wakeBy(deadline: number | undefined): void {
    if (deadline === undefined || deadline >= this.#wakesAt) return
    clearTimeout(this.#timer)
    this.#wakesAt = deadline
    this.#timer = setTimeout(() => this.#wakeAfterReading(), Math.max(1, Math.ceil(deadline - this.#now())))
  }

  stop(): void {
    clearTimeout(this.#timer)
    clearImmediate(this.#immediate)
  }

  // If this process was held up, answers of devices may be waiting to be read: nobody is late before they were.
  #wakeAfterReading(): void {
    this.#timer = undefined
    this.#immediate = setImmediate(() => {
      this.#wakesAt = Number.POSITIVE_INFINITY
      this.#wake()
    })
  }
}
