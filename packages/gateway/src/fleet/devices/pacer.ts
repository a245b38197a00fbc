// Acts at most once per interval, however often it is asked to: the first time at once, and when the interval is over if it was asked again.
// So nothing that was asked for is lost, as long as the action looks at the latest state.

import type { Clock } from '../../time/clock.ts'

export class Pacer {
  readonly #clock: Clock
  readonly #intervalMs: number
  readonly #act: () => void
  #cancel: (() => void) | undefined
  #isAskedAgain = false

  constructor(clock: Clock, intervalMs: number, act: () => void) {
    this.#clock = clock
    this.#intervalMs = intervalMs
    this.#act = act
  }

  ask(): void {
    if (this.#cancel !== undefined) {
      this.#isAskedAgain = true
      return
    }
    this.#cancel = this.#clock.after(this.#intervalMs, () => this.#intervalIsOver())
    this.#act()
  }

  /** Forgets what was asked for. */
  stop(): void {
    this.#cancel?.()
  }

  #intervalIsOver(): void {
    this.#cancel = undefined
    if (!this.#isAskedAgain) return
    this.#isAskedAgain = false
    this.ask()
  }
}
