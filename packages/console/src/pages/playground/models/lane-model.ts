// Finds the model of a lane. A model that is gone is never replaced without a word: the page names it and offers a choice.

import type { Shapes } from '../../../api/client.ts'

export type Model = Shapes['Model']

export type LaneModel =
  | { kind: 'ready'; name: string; model: Model }
  /** offered: devices serve it, but nobody enabled it. adding: a device is downloading it. */
  | { kind: 'missing'; name: string; state: Exclude<Model['state'], 'enabled'> | 'unknown' }

export function isServed({ devices }: Model): boolean {
  return devices.some(({ isPaused }) => !isPaused)
}

export function isEnabled({ state }: Model): boolean {
  return state === 'enabled'
}

/** The model that was chosen, or one that a device serves. `models` has at least one enabled model. */
export function findLaneModel(chosen: string | undefined, models: readonly Model[]): LaneModel {
  const model = chosen === undefined ? suggestModel(models) : models.find(({ name }) => name === chosen)
  if (model?.state === 'enabled') return { kind: 'ready', name: model.name, model }
  return { kind: 'missing', name: chosen!, state: model?.state ?? 'unknown' }
}

/** A model that can be asked now, if there is one; not the one to compare it with, if there is another. */
export function suggestModel(models: readonly Model[], other?: string): Model | undefined {
  const enabled = models.filter(isEnabled)
  const rest = enabled.filter(({ name }) => name !== other)
  return rest.find(isServed) ?? enabled.find(isServed) ?? rest[0] ?? enabled[0]
}
