// All lanes, by organization and then by model, so that two organizations can never share one.

import { countFeatures, lacking, type FeatureMask } from './state/feature-mask.ts'
import { AnswerLengths } from './state/answer-lengths.ts'
import { FairQueue } from './queue/fair-queue.ts'
import { KeyHabits } from './state/key-habits.ts'
import { PrefixMemory } from './state/prefix-memory.ts'
import type { Lane } from './state/state.ts'

export class Lanes {
  readonly #organizations = new Map<string, Map<string, Lane>>()
  /** Lanes that changed since they were last served: a waiting job may be able to start there. */
  readonly touched: Lane[] = []

  touch(lane: Lane): void {
    if (lane.isTouched) return
    lane.isTouched = true
    this.touched.push(lane)
  }

  find(organization: string, model: string): Lane | undefined {
    return this.#organizations.get(organization)?.get(model)
  }

  open(organization: string, model: string): Lane {
    return this.find(organization, model) ?? this.#create(organization, model)
  }

  /** Forgets the lane if it has neither jobs nor devices. */
  tidy(lane: Lane): void {
    if (lane.served.length > 0 || !lane.queue.isIdle) return
    const models = this.#organizations.get(lane.organization)
    if (models?.get(lane.model) !== lane) return
    models.delete(lane.model)
    if (models.size === 0) this.#organizations.delete(lane.organization)
  }

  *all(): Generator<Lane> {
    for (const models of this.#organizations.values()) yield* models.values()
  }

  #create(organization: string, model: string): Lane {
    const lane: Lane = {
      organization,
      model,
      queue: new FairQueue(),
      memory: new PrefixMemory(),
      served: [],
      open: [],
      turn: 0,
      late: new Set(),
      answers: new AnswerLengths(),
      habits: new KeyHabits(),
      sampledAt: Number.NEGATIVE_INFINITY,
      isTouched: false,
    }
    const models = this.#organizations.get(organization) ?? new Map<string, Lane>()
    this.#organizations.set(organization, models.set(model, lane))
    return lane
  }
}

/**
 * The features that the closest device lacks: none if a device has them all, or if no device serves the model. Of a sealed job, only the
 * devices count that it was sealed for.
 */
export function missingFeatures(lane: Lane, wanted: FeatureMask, sealedFor?: ReadonlySet<string>): FeatureMask {
  let fewest: FeatureMask | undefined
  for (const served of lane.served) {
    if (served.device.isDraining || sealedFor?.has(served.device.id) === false) continue
    const missing = lacking(wanted, served.features)
    if (missing === 0) return 0
    if (fewest === undefined || countFeatures(missing) < countFeatures(fewest)) fewest = missing
  }
  return fewest ?? 0
}
