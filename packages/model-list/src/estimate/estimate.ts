// What to expect of a model on a machine: whether it fits, and how fast it answers, corrected by what was measured there.

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

/** A measurement says so much at most: it may have been taken while the machine was busy. */
const LEAST_RATIO = 0.1
const MOST_RATIO = 5
/** Models of up to four times the size behave alike. */
const NEAR = Math.log(4)

export function estimate(machine: MachineFacts, model: ModelFacts, measured: readonly Measured[] = []): Estimate {
  const fit = fitOn(machine, model)
  const own = measured.find((one) => one.model.name === model.name)
  const expected = expectedSpeed(machine, model, fit)
  if (expected === undefined) return { fit, isMeasured: false }
  const ratio = correctionFor(machine, model, own === undefined ? measured : [own])
  const tokensPerSecond = own?.tokensPerSecond ?? expected.tokensPerSecond * ratio
  return { fit, speed: { tokensPerSecond, firstTokenMs: expected.firstTokenMs / ratio }, isMeasured: own !== undefined }
}

/**
 * Measured ÷ expected of the model that is nearest in size: it meets the same limits of the machine. A machine that was slower than expected
 * is slow with every model; one that was faster with a small model may have had it in its caches, so that says less the larger the other is.
 */
function correctionFor(machine: MachineFacts, model: ModelFacts, measured: readonly Measured[]): number {
  const distance = (one: Measured): number => Math.abs(Math.log(one.model.bytes / model.bytes))
  const [nearest] = measured.toSorted((one, other) => distance(one) - distance(other))
  if (nearest === undefined) return 1
  const expected = expectedSpeed(machine, nearest.model, fitOn(machine, nearest.model))
  if (expected === undefined) return 1
  const ratio = Math.min(MOST_RATIO, Math.max(LEAST_RATIO, nearest.tokensPerSecond / expected.tokensPerSecond))
  return ratio <= 1 ? ratio : ratio ** Math.exp(-Math.max(0, distance(nearest) - NEAR))
}
