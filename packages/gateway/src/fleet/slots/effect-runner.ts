// Carries out what a scheduler's core decides, and wakes the core at its next deadline.

import type { Clock } from '../../time/clock.ts'
import type { SchedulerCore } from './core/scheduler-core.ts'
import type { Effect } from './core/types.ts'
import { WakeTimer } from './wake-timer.ts'

export interface EffectRunnerOptions {
  core: SchedulerCore
  clock: Clock
  carryOut: (effect: Effect) => void
  /** Tells the core the time. */
  wake: () => void
}

export class EffectRunner {
  readonly #core: SchedulerCore
  readonly #carryOut: (effect: Effect) => void
  readonly #timer: WakeTimer
  #isRunning = false

  constructor({ core, clock, carryOut, wake }: EffectRunnerOptions) {
    this.#core = core
    this.#carryOut = carryOut
    this.#timer = new WakeTimer(clock, wake)
  }

  // Carrying out an effect may cause others, such as an offer to a link that just closed. The outermost call handles them all.
  run(): void {
    if (this.#isRunning) return
    this.#isRunning = true
    const { effects } = this.#core
    try {
      for (const effect of effects) this.#carryOut(effect)
    } finally {
      effects.length = 0
      this.#isRunning = false
    }
    this.#timer.wakeBy(this.#core.nextDeadline())
  }

  stop(): void {
    this.#timer.stop()
  }
}
