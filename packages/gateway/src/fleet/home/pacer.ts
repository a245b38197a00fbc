// Acts at most once per interval, however often it is asked to: the first time at once, and when the interval is over if it was asked again.
// So nothing that was asked for is lost, as long as the action looks at the latest state.

export class Pacer {
  readonly #intervalMs: number
  readonly #act: () => void
  #timer: NodeJS.Timeout | undefined
  #isAskedAgain = false

  constructor(intervalMs: number, act: () => void) {
    this.#intervalMs = intervalMs
    this.#act = act
  }

  ask(): void {
    if (this.#timer !== undefined) {
      this.#isAskedAgain = true
      return
    }
    this.#timer = setTimeout(() => this.#intervalIsOver(), this.#intervalMs).unref()
    this.#act()
  }

  /** Forgets what was asked for. */
  stop(): void {
    clearTimeout(this.#timer)
  }

  #intervalIsOver(): void {
    this.#timer = undefined
    if (!this.#isAskedAgain) return
    this.#isAskedAgain = false
    this.ask()
  }
}
