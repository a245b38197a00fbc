// What to expect of a model on a machine: whether it fits, and how fast it answers.

import { expectedSpeed, type Speed } from './expected-speed.ts'
import { fitOn, type Fit } from './fit.ts'
import type { MachineFacts } from './machine-facts.ts'
import type { ModelFacts } from './model-facts.ts'

/** How fast a model really answers on this machine. */
export interface Measured {
  model: ModelFacts
  tokensPerSecond: number
}

export interface Estimate {
  fit: Fit
  /** Absent if it doesn't fit. */
  speed?: Speed
  /** True if the tokens per second are those of this model on this machine. */
  isMeasured: boolean
}

/**
 * Other models say nothing about this one: a small model was measured while the machine was busy, and a person who was told "about 9 tokens/s"
 * in the terminal must not read 4 in the console, which alone knows what was measured.
 */
export function estimate(machine: MachineFacts, model: ModelFacts, measured: readonly Measured[] = []): Estimate {
  const fit = fitOn(machine, model)
  const expected = expectedSpeed(machine, model, fit)
  if (expected === undefined) return { fit, isMeasured: false }
  const own = measured.find((one) => one.model.name === model.name)
  if (own === undefined) return { fit, speed: expected, isMeasured: false }
  const { tokensPerSecond } = own
  const firstTokenMs = (expected.firstTokenMs * expected.tokensPerSecond) / tokensPerSecond
  return { fit, speed: { tokensPerSecond, firstTokenMs }, isMeasured: true }
}
