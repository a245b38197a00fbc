// The lanes of an organization, by model.

import { countFeatures, lacking, NO_FEATURES, type FeatureMask } from './feature-mask.ts'
import { Lane, type Asked } from './state.ts'

export class Lanes {
  readonly #lanes = new Map<string, Lane>()
  /** Lanes that changed since they were last served: a waiting job may be able to start there. */
  readonly touched: Lane[] = []

  touch(lane: Lane): void {
    if (lane.isTouched) return
    lane.isTouched = true
    this.touched.push(lane)
  }

  find(model: string): Lane | undefined {
    return this.#lanes.get(model)
  }

  open(model: string): Lane {
    const known = this.#lanes.get(model)
    if (known !== undefined) return known
    const lane = new Lane(model)
    this.#lanes.set(model, lane)
    return lane
  }

  /** Forgets the lane if it has neither jobs nor devices. */
  tidy(lane: Lane): void {
    if (lane.served.length > 0 || !lane.queue.isIdle || lane.seconds.size > 0 || lane.lost.size > 0) return
    if (this.#lanes.get(lane.model) === lane) this.#lanes.delete(lane.model)
  }

  all(): Iterable<Lane> {
    return this.#lanes.values()
  }
}

/**
 * The features that the closest device lacks: none if a device has them all, or if no device serves the model. Of a sealed job, only the
 * devices count that it was sealed for.
 */
export function missingFeatures({ lane, features, sealedFor }: Asked): FeatureMask {
  if (features === NO_FEATURES && sealedFor === undefined) return NO_FEATURES
  let fewest: FeatureMask | undefined
  for (const served of lane.served) {
    if (served.device.isDraining || sealedFor?.has(served.device.id) === false) continue
    const missing = lacking(features, served.features)
    if (missing === 0) return 0
    if (fewest === undefined || countFeatures(missing) < countFeatures(fewest)) fewest = missing
  }
  return fewest ?? 0
}
